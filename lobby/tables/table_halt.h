#ifndef LOBBY_TABLES_TABLE_HALT_H
#define LOBBY_TABLES_TABLE_HALT_H

#include "lobby/house/house_state.h"

/*
 * Games that stand still: no move is made, no clock runs, no bot plays.
 *
 *              all present ask; rated: all
 *              with a seat, if a clock of
 *              somebody present runs
 *     playing ─────────────────▶ paused ──────── anybody resumes ───────▶ playing
 *        │  ╲  all present ask; rated: all with a seat
 *        │   ╲─────────────────▶ adjourned ───── all resume; rated: ────▶ playing
 *        │                                       or table_deadline.h
 *        │     the house was away
 *        └─────────────────────▶ waiting for ─── all are back at once; ─▶ playing
 *                                those who were  unrated: or all present
 *                                in              resume; rated: or
 *                                                table_deadline.h
 *
 * A paused rated game whose people the house has thrown out waits for them, too, before it goes on.
 * Bots agree always. Turn-by-turn games have vacations instead.
 */

/* The house comes back and this live game was on: it waits for those who were in (bit s), of whom
 * there is at least one. */
void table_halt_for_house(struct house *house, struct table *table, uint8_t awaited);

/* It goes on, whoever is there. */
void table_halt_go_on(struct house *house, struct table *table);

/* Somebody is back: a game that waited for them may go on. */
void table_halt_seat_back(struct house *house, struct table *table, int seat);

/* All connections that outlived the last core have been handed over, if there are any. Guests who
 * are not among them cannot come back, and are not waited for; with survivors it was not the house
 * that ended those which had ended before. */
void table_halts_connections_end(struct house *house, bool has_survivors);

/* Somebody has lost the connection or left for good: they ask for nothing any more. */
void table_halt_seat_gone(struct house *house, struct table *table, int seat);

#endif
