#ifndef TESTS_GAMES_STRENGTH_H
#define TESTS_GAMES_STRENGTH_H

#include "games/game.h"

/* The share of `games` games that one careful player wins against random ones, shared wins split;
 * it sits in another seat each game. Printed too. */
double strength_of_careful(const struct game_def *game, uint8_t players, unsigned games);

#endif
