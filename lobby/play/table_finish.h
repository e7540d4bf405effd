#pragma once

#include "lobby/tables/tables_state.h"

/* The end of a game. */

/* Called after the last move: stores scores and ratings and sends the result. */
void table_finish_game(struct house *house, struct table *table);

/* Ends the current game without a result: nothing is won, lost or rated. */
void table_finish_without_result(struct house *house, struct table *table);

/* Makes the `result` message of the finished game from its state and the storage. */
void table_finish_make_result(struct house *house, struct table *table);
