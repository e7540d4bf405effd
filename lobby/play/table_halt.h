#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Halted games: no move is made, no clock runs, no bot plays.
 *
 *              all present ask; rated: all
 *              with a seat, if a clock of
 *              somebody present runs
 *     playing ─────────────────▶ paused ──────── anybody resumes ───────▶ playing
 *        │  ╲  all present ask; rated: all with a seat
 *        │   ╲─────────────────▶ adjourned ───── all resume; rated: ────▶ playing
 *        │                                       or resume_deadlines.h
 *        │     the house was away
 *        └─────────────────────▶ waiting for ─── all are back at once; ─▶ playing
 *                                those who were  unrated: or all present
 *                                in              resume; rated: or
 *                                                resume_deadlines.h
 *
 * A paused rated game whose players were disconnected by the house's downtime also waits for them.
 * Bots always agree. Turn-by-turn games have vacations instead.
 */

/* After the house's downtime, halts a live game until the players in `awaited` (bit s stands for
 * seat s; at least one bit) are back. */
void table_halt_wait_for_players(struct house *house, struct table *table, uint8_t awaited);

/* Ends the halt, no matter who is present. */
void table_halt_end(struct house *house, struct table *table);

/* Records that a player has returned, which may end a halt that waited for them. */
void table_halt_note_player_returned(struct house *house, struct table *table, int seat);

/* Called when all connections that survived a restart have returned; conns_survived is false when
 * no connection survived. Games stop waiting for guests who have not returned, since guests cannot
 * come back later. If connections survived, games also stop waiting for players who had
 * disconnected before the restart. */
void table_halts_stop_waiting_for_lost(struct house *house, bool conns_survived);

/* Withdraws the requests of a player who has lost the connection or left for good. */
void table_halt_note_player_gone(struct house *house, struct table *table, int seat);
