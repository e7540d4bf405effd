#pragma once

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
