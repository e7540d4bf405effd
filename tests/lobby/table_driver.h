#pragma once

#include "games/game.h"
#include "tests/lobby/house_driver.h"

/* Tables that several tests begin with. */

#define TABLE_ADA DRIVER_FIRST
#define TABLE_BOB (DRIVER_FIRST + 1)

/* Ada's table, where Bob and two bots play: some moves into the game, which is rated if it has a
 * clock. Gives its number. */
int64_t table_begin_for_two(struct driver *driver, int clock_s);

/* As many people as the game needs, from TABLE_ADA on, at a table that is watched so (JSON), before
 * the start; two more, who may watch, are in the lobby. Gives its number. */
int64_t table_open_watched(struct driver *driver, const struct game_def *game, const char *watch,
                           const int64_t watchers[2]);
