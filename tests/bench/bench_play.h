#pragma once

#include "games/game.h"

/* A game with a known seed, in which the players of a benchmark make random moves. */

#define BENCH_PLAYERS 4

struct bench_play {
    const struct game_def *game;
    struct game_config config;
    struct game_state state;
    uint32_t step;
};

/* Returns a game that is not dealt yet: the first kind of game for BENCH_PLAYERS, with its standard
 * options. */
struct bench_play bench_play_new(void);

/* Starts a game dealt from the seed. */
bool bench_play_start(struct bench_play *play, const uint8_t seed[SEED_BYTES]) MUST_CHECK;

bool bench_play_is_over(const struct bench_play *play);

/* Makes a random legal move of a game that is not over, and writes the move's text. Returns the
 * seat that moved. */
uint8_t bench_play_make_move(struct bench_play *play, struct quick_random *random,
                             char text[MOVE_TEXT_MAX]);
