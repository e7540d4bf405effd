#pragma once

#include "games/game.h"

/* A random move of the set, which is not empty; each is equally likely. */
uint8_t playout_pick_random_move(const struct move_set *moves, struct quick_random *random);

/* Plays random legal moves, each equally likely, from the state to the end of the game. If several
 * seats may move, a random one of them moves. Adds the number of moves made to *moves_made. The
 * benchmark measures this function. */
void playout_run_to_end(const struct game_def *game, struct game_state *state,
                        struct quick_random *random, uint64_t *moves_made);

/* Plays at most `max_moves` random moves, like playout_run_to_end; returns how many were made. log
 * may be NULL. */
uint64_t playout_make_moves(const struct game_def *game, struct game_state *state,
                            struct quick_random *random, uint64_t max_moves,
                            const struct game_log *log);

/* Returns the seats that may move as long as the round with this number is played; none after it.
 */
uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round);
