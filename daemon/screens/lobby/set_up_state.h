#ifndef DAEMON_SCREENS_LOBBY_SET_UP_STATE_H
#define DAEMON_SCREENS_LOBBY_SET_UP_STATE_H

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/fit_rule.h"
#include "lobby/protocol/watch_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* What the set-up screen's files share: the table as it is being chosen. */

#define PASSWORD_BYTES 65

enum set_up_row {
    ROW_GAME,
    ROW_PLAYERS,
    ROW_OPTION, /* as many as the game has */
    ROW_CLOCK = ROW_OPTION + GAME_OPTIONS_MAX,
    ROW_FIT,
    ROW_WATCH,
    ROW_PASSWORD,
    ROW_COUNT,
};

struct set_up_state {
    int64_t table; /* 0: a new one */
    uint8_t game;  /* index in the registry */
    struct game_config config;
    uint8_t clock; /* option_clock_at's index; past them: own_clock */
    struct clock_rule own_clock;
    struct fit_rule fit;
    struct watch_rule watch;
    char password[PASSWORD_BYTES];
    bool is_clock_chosen; /* by the person who sets up, not by us */
    int row;              /* enum set_up_row, those of absent options skipped */
    bool is_with_bots;    /* fill with bots and begin at once */
};

const struct game_def *set_up_game(const struct set_up_state *state);

/* The game at that index of the registry, with its usual options. */
void set_up_choose_game(struct set_up_state *state, uint8_t index);
/* The game, and the players if any, that words name: its id or title, then a number. Returns
 * NULL, or why it cannot be: a sentence, in `why` (of `cap` bytes) if need be. */
const char *set_up_choose_words(struct set_up_state *state, const char *words, char *why,
                                size_t cap);
/* The next of the usual ways to be watched, or the one before (by -1). */
void set_up_change_watch(struct set_up_state *state, int by);

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock);

/* A row's value as people write it; false when there is no such value. */
bool set_up_row_set(struct set_up_state *state, int row, const char *value) MUST_CHECK;

#endif
