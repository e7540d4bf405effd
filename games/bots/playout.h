#pragma once

#include "games/game.h"

/* A random move of the set, which is not empty; each is equally likely. */
uint8_t playout_pick_random_move(const struct move_set *moves, struct quick_random *random);

/* Plays random legal moves, each equally likely, from the state to the end of the game. If several
 * seats may move, a random one of them moves. Adds the number of moves made to *moves_made. Bots
 * search with this function, and the benchmark measures it. */
void playout_run_to_end(const struct game_def *game, struct game_state *state,
                        struct quick_random *random, uint64_t *moves_made);

/* Plays at most `max_moves` random moves, like playout_run_to_end; returns how many were made. log
 * may be NULL. */
uint64_t playout_make_moves(const struct game_def *game, struct game_state *state,
                            struct quick_random *random, uint64_t max_moves,
                            const struct game_log *log);

/* Returns what a seat without a plan plays in an imagined deal: the move of the game's light
 * policy, any legal move if the game has none. */
uint8_t playout_pick_light_move(const struct game_def *game, const struct game_state *state,
                                uint8_t seat, const struct move_set *legal,
                                struct quick_random *random);

/* Returns the seats that may move as long as the round with this number is played; none after it.
 */
uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round);

/* Plays the round with this number to its end by the light policy, if it is still played. log may
 * be NULL. */
void playout_finish_round(const struct game_def *game, struct game_state *state, uint8_t round,
                          struct quick_random *random, const struct game_log *log);

/* For light policies: about how likely it is that a card which wins the trick as it lies takes it.
 * `unseen` is how many cards of its suit the player does not see, `higher` how many of them are
 * higher, and `to_come` how many players follow. Between 0 and 1. */
float playout_guess_chance(uint8_t higher, uint8_t unseen, uint8_t to_come);
