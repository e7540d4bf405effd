#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/watch_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* Shared by the set-up screen's files: the table being set up. */

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
    uint8_t clock; /* index for option_clock_at; beyond its last: own_clock */
    struct clock_rule own_clock;
    struct eligibility fit;
    struct watch_rule watch;
    char password[PASSWORD_BYTES];
    bool is_clock_chosen; /* chosen by the person, not by default */
    int row;              /* enum set_up_row, without those of absent options */
    bool is_with_bots;    /* fill with bots and start at once */
};
