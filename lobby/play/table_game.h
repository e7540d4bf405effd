#pragma once

#include "lobby/tables/tables_state.h"
#include "storage/archive/moves.h"

/* The game at a table, from the deal to the last move. */

/* Begins a game; every seat must be taken. Draws the seed of the deal, and sends the seed's hash
 * (the commitment) before any card. */
void table_game_begin(struct house *house, struct table *table);

/* The two halves of table_game_begin: the first draws table->seed, the second begins the game that
 * this seed deals. */
void table_game_draw_seed(struct house *house, struct table *table);
void table_game_begin_from_seed(struct house *house, struct table *table);

/* Makes a table whose game is over wait for players again. */
void table_game_reopen_table(struct house *house, struct table *table);

/* Deals a new game from the seed in table->seed. Call table_times_read_time_off before it. */
void table_game_deal(struct table *table, int64_t at_ms);

/* Applies a move to the game in memory, without storing or sending it. The turns that follow begin
 * at at_ms. */
enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms) MUST_CHECK;

/* Makes a move for the player on this seat: applies, stores and sends it. If it is the last move,
 * finishes the game. `origin` says which connection and request sent the move; NULL for a bot. */
enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin) MUST_CHECK;

/* Lets a player leave the current game for good: a bot gets the player's seat. */
void table_game_leave_for_good(struct house *house, struct table *table, int seat);
