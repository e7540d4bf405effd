#pragma once

#include "tests/daemon/screens/driver.h"

/* Sends sample messages of the core, so that screens have something to show. */

/* Pushes a lobby with seven people, five tables and some chat, in which it is mira's turn at table
 * 2. */
void samples_push_lobby(struct driver *driver);

/* Answer the requests `leaders` (61 players, mira 57th) and `games` (`game_count` finished games).
 */
void samples_answer_leaders(struct driver *driver);
void samples_answer_games(struct driver *driver, int game_count);
