#pragma once

#include "lobby/tables/tables_state.h"
#include "storage/archive/moves.h"

/* The game at a table, from the deal to the last move. */

/* Begins a game, for which every seat must be taken: draws the seed and sends its commitment before
 * any card. */
void table_game_begin(struct house *house, struct table *table);

/* Makes a finished table wait for players again. */
void table_game_reopen_table(struct house *house, struct table *table);

/* Deals a new game from table->seed. Call table_times_read_players first. */
void table_game_deal(struct table *table, int64_t at_ms);

/* Carries out a move in memory, and updates whose turn it is from at_ms on. */
enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms) MUST_CHECK;

/* Carries out, stores and sends a move by the seat's holder; the last move finishes the game.
 * `origin` holds the sender's connection and request; NULL for a bot. */
enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin) MUST_CHECK;

/* Replaces a player who leaves the current game for good by a bot. */
void table_game_leave_for_good(struct house *house, struct table *table, int seat);
