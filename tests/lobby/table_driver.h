#pragma once

#include "games/game.h"
#include "tests/lobby/house_driver.h"

/* Opens tables and begins games in the way that several tests need. */

#define TABLE_ADA DRIVER_FIRST
#define TABLE_BOB (DRIVER_FIRST + 1)

/* Begins a game of Ada, Bob and two bots and makes some moves. It is rated if it has a clock.
 * Returns the table's number. */
int64_t table_begin_game_for_two(struct driver *driver, int clock_s);

/* Like table_begin_game_for_two, for Ada and Bob who are in the lobby already. */
int64_t table_begin_another_game_for_two(struct driver *driver, int clock_s);

/* Opens a table with `watch_rule` (JSON) and fills it with the fewest people that the game allows,
 * from TABLE_ADA on. The game has not begun. Two more people, who may watch, are in the lobby.
 * Returns the table's number. */
int64_t table_open_for_spectators(struct driver *driver, const struct game_def *game,
                                  const char *watch_rule, const int64_t watchers[2]);

/* Makes the first or last legal move of a player who is to act, TABLE_ADA being in seat 0; false
 * when nobody is. */
bool table_make_first_or_last_move(struct driver *driver, int64_t table,
                                   const struct game_def *game, bool is_last);

/* Lets these people make first legal moves until the first of them can prove a claim in a game
 * with default options. Returns the step at which the claim can be made. */
int64_t table_play_until_claim(struct driver *driver, const int64_t *conns, size_t count);

/* The same until the game ends: returns false if it ends before such a claim. */
bool table_play_until_claim_or_end(struct driver *driver, const int64_t *conns, size_t count,
                                   int64_t *step);
