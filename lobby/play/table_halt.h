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

/* The house is back and this live game was on: it waits for the players who were connected (bit s),
 * at least one. */
void table_halt_after_downtime(struct house *house, struct table *table, uint8_t awaited);

/* Resumes the game, whoever is there. */
void table_halt_end(struct house *house, struct table *table);

/* A player is back: a game that waited for them may go on. */
void table_halt_player_returned(struct house *house, struct table *table, int seat);

/* All connections that survived the last core have returned; has_survivors is false when there were
 * none. Guests who have not returned cannot come back, so no game waits for them. If there are
 * survivors, connections that had ended before were not ended by the house's downtime. */
void table_halts_settle(struct house *house, bool has_survivors);

/* A player has lost the connection or left for good: withdraws what they asked for. */
void table_halt_player_gone(struct house *house, struct table *table, int seat);
