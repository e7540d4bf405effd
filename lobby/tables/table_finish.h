#ifndef LOBBY_TABLES_TABLE_FINISH_H
#define LOBBY_TABLES_TABLE_FINISH_H

#include "lobby/house/house_state.h"

/* The end of a game. */

/* The last move was made: stores scores and ratings, tells the result. */
void table_game_finish(struct house *house, struct table *table);

/* A game that is on ends here, with nothing won, lost or rated. */
void table_game_cut(struct house *house, struct table *table);

/* Makes the `result` message of the finished game from its state and what is stored. */
void table_make_result(struct house *house, struct table *table);

#endif
