#ifndef LOBBY_TABLES_TABLE_GAME_H
#define LOBBY_TABLES_TABLE_GAME_H

#include "lobby/house/house_state.h"
#include "storage/archive/moves.h"

/* A table's game, from its seed to its last move. */

/* Begins a game: every seat is taken. Draws the seed; the commitment is told before a card. */
void table_begin(struct house *house, struct table *table);

/* A finished table waits for players again, with its next game not yet begun. */
void table_reopen(struct house *house, struct table *table);

/* Deals from table->seed, with everything of an earlier game forgotten; table_times_load has been
 * called. */
void table_game_deal(struct table *table, int64_t at_ms);

/* Carries out a move in memory and notes whose turn it became at at_ms. */
enum game_result table_apply(struct table *table, uint8_t seat, uint8_t move,
                             int64_t at_ms) MUST_CHECK;

/* A move of the seat's holder: carried out, stored, told; the last one finishes the game. conn and
 * request: who sent it, 0 for bots. */
enum game_result table_move(struct house *house, struct table *table, uint8_t seat, uint8_t move,
                            const struct storage_move *origin) MUST_CHECK;

/* The holder leaves a game that is on: a bot takes the seat. */
void table_leave_for_good(struct house *house, struct table *table, int seat);

#endif
