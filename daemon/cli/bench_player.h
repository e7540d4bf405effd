#pragma once

#include "games/game.h"

/* What a player of a benchmark has to decide. It is the turn of the view's seat. */
struct bench_turn {
    const struct game_view *view;
    const struct game_config *config;
    struct quick_random *random;
    uint32_t game_number; /* counted from 1; tells the games of a benchmark apart */
};

/* A player that can take a seat in a benchmark. */
struct bench_player {
    const char *name;    /* as written in the list of players */
    const char *game_id; /* the only game that it can play; NULL: it plays every game */
    void *context;       /* passed to `choose` */

    /* Returns a legal move. Returns MOVE_NONE after printing why there is none; the benchmark then
     * ends. */
    uint8_t (*choose)(void *context, const struct bench_turn *turn);
};
