#ifndef GAMES_PLAYOUT_H
#define GAMES_PLAYOUT_H

#include "games/game.h"

/* Plays uniformly random legal moves from the state to the end of the game, whichever seats are to
 * act (of several at once a random one); adds the number of moves made to *decisions. What bots
 * search with and what the benchmark measures. */
void playout_run(const struct game_def *game, struct game_state *state, struct quick_random *random,
                 uint64_t *decisions);

/* The same for `most` moves at the most; returns how many were made. log may be NULL. */
uint64_t playout_some(const struct game_def *game, struct game_state *state,
                      struct quick_random *random, uint64_t most, const struct game_log *log);

#endif
