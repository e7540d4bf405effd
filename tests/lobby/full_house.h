#pragma once

#include <stdint.h>

/* Quickly makes the data of a house in which many people have played for over a year. Accounts are
 * "p1", "p2", …; a tenth of them play half of the games. All games are rated, of the registry's
 * first game, with 2 to 7 players; in one game of five there are bots. Scores, ratings, rating
 * changes, statistics and leaderboards are stored; seats and moves are not. The same values in
 * `house` always give the same data. */
struct full_house {
    uint32_t accounts;
    uint32_t games;
    uint32_t seed;
    int64_t now_ms; /* time of the end of the last game */
};

/* Writes the data into a new file. Prints a reason and ends the process when that fails. */
void full_house_create(const struct full_house *house, const char *path);
