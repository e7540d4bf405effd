#pragma once

#include "games/game.h"

/* A random move of the set, which is not empty; each is equally likely. */
uint8_t playout_pick_random_move(const struct move_set *moves, struct quick_random *random);

/* Returns the seats that may move as long as the round with this number is played; none after it.
 */
uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round);
