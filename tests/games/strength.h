#pragma once

#include "games/game.h"

/* Measures how strong the careful policy is: one careful player plays `games` games against random
 * players, each game in another seat. Prints and returns the share of games that it wins; a shared
 * win counts as a fraction. */
double strength_measure_careful_policy(const struct game_def *game, uint8_t players,
                                       unsigned games);
