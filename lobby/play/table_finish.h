#pragma once

#include "lobby/tables/tables_state.h"

/* Ends games: their scores, ratings and results. */

/* Ends the game after its last move: stores scores and ratings, and sends the result. */
void table_finish_game(struct house *house, struct table *table);

/* Ends the current game without a result: it counts for nobody and is not rated. */
void table_finish_without_result(struct house *house, struct table *table);

/* Makes the `result` message of a finished game. Everybody who enters the table afterwards gets
 * this message. */
void table_finish_make_result(struct house *house, struct table *table);
