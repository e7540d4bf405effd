#pragma once

#include "games/game.h"

/* A random move of the set, which is not empty; each is equally likely. */
uint8_t random_play_pick_move(const struct move_set *moves, struct quick_random *random);

/* Plays at most `max_moves` random legal moves, each equally likely, and no more when the game is
 * over. If several seats may move, a random one of them moves. Returns how many were made. log may
 * be NULL. The benchmark of the engine measures this function. */
uint64_t random_play(const struct game_def *game, struct game_state *state,
                     struct quick_random *random, uint64_t max_moves, const struct game_log *log);
