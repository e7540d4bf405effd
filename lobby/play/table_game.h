#pragma once

#include "lobby/tables/tables_state.h"
#include "storage/archive/moves.h"

/* A table's game, from its seed to its last move. */

/* Begins a game; every seat is taken. Draws the seed, and sends the commitment before any card. */
void table_game_begin(struct house *house, struct table *table);

/* Returns a finished table to waiting for players; its next game has not begun. */
void table_game_reopen_table(struct house *house, struct table *table);

/* Deals from table->seed and forgets an earlier game. Call table_times_read_players first. */
void table_game_deal(struct table *table, int64_t at_ms);

/* Carries out a move in memory and notes at at_ms whose turn it is next. */
enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms) MUST_CHECK;

/* A move by the seat's holder: carries it out, stores it and sends it; the last move finishes the
 * game. conn and request: who sent it, 0 for bots. */
enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin) MUST_CHECK;

/* The holder leaves the current game for good: a bot takes the seat. */
void table_game_leave_for_good(struct house *house, struct table *table, int seat);
