#pragma once

#include "tests/daemon/screens/driver.h"

/* Sample messages of a core with something to show. */

/* Seven people, five tables, some talk, and mira's turn at table 2. */
void samples_lobby(struct driver *driver);

/* Answers to `leaders` (61 players, mira 57th) and `games` (`count` finished ones). */
void samples_leaders(struct driver *driver);
void samples_games(struct driver *driver, int count);
