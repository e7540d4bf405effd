#pragma once

#include "games/game.h"
#include "tests/lobby/house_driver.h"

/* Opens tables and begins games in the way that several tests need. */

#define TABLE_ADA DRIVER_FIRST
#define TABLE_BOB (DRIVER_FIRST + 1)

/* Begins a game of Ada, Bob and two bots and makes some moves. It is rated if it has a clock.
 * Returns the table's number. */
int64_t table_begin_game_for_two(struct driver *driver, int clock_s);

/* Opens a table with `watch_rule` (JSON) and fills it with the fewest people that the game allows,
 * from TABLE_ADA on. The game has not begun. Two more people, who may watch, are in the lobby.
 * Returns the table's number. */
int64_t table_open_for_spectators(struct driver *driver, const struct game_def *game,
                                  const char *watch_rule, const int64_t watchers[2]);
