#pragma once

#include "games/game.h"

/* Returns the seats that may move as long as the round with this number is played; none after it.
 */
uint8_t playout_find_seats_in_round(const struct game_def *game, const struct game_state *state,
                                    uint8_t round);
