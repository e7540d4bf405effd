#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/watch_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* The table being set up; shared by the set-up screen's files. */

#define PASSWORD_BYTES 65

enum set_up_row {
    ROW_GAME,
    ROW_PLAYERS,
    ROW_OPTION, /* the first of the rows for the game's options */
    ROW_CLOCK = ROW_OPTION + GAME_OPTIONS_MAX,
    ROW_FIT,
    ROW_WATCH,
    ROW_PASSWORD,
    ROW_COUNT,
};

struct set_up_state {
    int64_t table; /* the table whose settings are changed; 0: a new one */
    uint8_t game;  /* the game's index in the registry */
    struct game_config config;
    uint8_t clock; /* index of an offered clock (option_clock_at); after the last: own_clock */
    struct clock_rule own_clock;
    struct eligibility fit;
    struct watch_rule watch;
    char password[PASSWORD_BYTES];
    bool is_clock_chosen; /* the person has chosen the clock */
    int row;              /* the selected row (enum set_up_row); never one of an absent option */
    bool is_with_bots;    /* fill the table with bots and start at once */
};
