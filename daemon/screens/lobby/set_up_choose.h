#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/pace.h"
#include "lobby/protocol/watch_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* The settings of a table that is being set up; shared by the set-up screen's files. */

#define PASSWORD_BYTES 65

enum set_up_row {
    ROW_GAME,
    ROW_PLAYERS,
    ROW_OPTION, /* the first of the rows for the game's options */
    ROW_CLOCK = ROW_OPTION + GAME_OPTIONS_MAX,
    ROW_PACE,
    ROW_FIT,
    ROW_WATCH,
    ROW_PASSWORD,
    ROW_BOTS,
    ROW_COUNT,
};

struct set_up_state {
    int64_t table; /* number of the table whose settings are changed; 0: a new table */
    uint8_t game;  /* the game's index in the registry */
    struct game_config config;
    uint8_t clock; /* index of the chosen clock among the offered ones (option_get_offered_clock);
                      the index after the last means own_clock */
    struct clock_rule own_clock;
    enum pace pace;
    struct eligibility fit;
    struct watch_rule watch;
    char password[PASSWORD_BYTES];
    bool is_clock_chosen; /* the person has chosen the clock */
    int row; /* the selected row (enum set_up_row); never the row of an option that the game lacks
              */
    enum bot_level bots; /* of the bots that fill a new table; BOT_LEVEL_NONE: the core chooses what
                            suits the person */
    bool is_with_bots;   /* fill the table with bots and start at once */
};

const struct game_def *set_up_get_chosen_game(const struct set_up_state *state);

/* Chooses the game at `index` in the registry of games, with its default options. */
void set_up_choose_game(struct set_up_state *state, uint8_t index);

/* Sets the number of players; false if the game does not allow that number. */
bool set_up_choose_player_count(struct set_up_state *state, int player_count);

/* Chooses a game by its id or title, optionally followed by a number of players. Returns NULL on
 * success; otherwise writes what is wrong to `why` and returns that text. */
const char *set_up_choose_game_from_words(struct set_up_state *state, const char *words,
                                          struct text *why);

/* Changes who may watch: chooses the next of the usual rules (direction 1) or the previous one
 * (direction -1). */
void set_up_change_who_may_watch(struct set_up_state *state, int direction);

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock);

/* Sets a row's value from a typed text; false if the text is invalid. */
bool set_up_set_row_value(struct set_up_state *state, int row, const char *value) MUST_CHECK;
