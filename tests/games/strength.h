#pragma once

#include "games/game.h"

/* Measures the careful policy: one careful player plays `games` games against random players, each
 * game in another seat. Returns and prints the share of games it wins; shared wins count as a
 * fraction. */
double strength_measure_careful(const struct game_def *game, uint8_t players, unsigned games);
