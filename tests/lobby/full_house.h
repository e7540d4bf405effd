#pragma once

#include <stdint.h>

/* Data of a house that many have played in for more than a year, made quickly: accounts "p1", "p2",
 * … of which a tenth play half of the games; rated games of the registry's first game, of 2 to 7
 * players, one in five with bots, with their scores, ratings, changes, statistics and lists, but
 * without seats and moves. The same numbers give the same data. */
struct full_house {
    uint32_t accounts;
    uint32_t games;
    uint32_t seed;
    int64_t now_ms; /* the last game has just ended */
};

/* Into a new file. Ends the process with a word when that cannot be done. */
void full_house_create(const struct full_house *house, const char *path);
