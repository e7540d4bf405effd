#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Halted games: no move is made, no clock runs, no bot plays. There are four kinds of halt.
 *
 * Pause. The game pauses when all present players have asked for it. In a rated game all players
 * with a seat must ask, if a present player's clock runs. Any player ends the pause with /resume.
 *
 * Adjournment. The game is adjourned when all present players have asked for it; in a rated game,
 * all players with a seat. The game goes on when all have asked to resume. A rated game also goes
 * on at a deadline (resume_deadlines.h).
 *
 * Wait after the house's downtime. The game waits for the players who were in the house before. It
 * goes on when all of them are back at the same time. An unrated game also goes on when all present
 * players have asked to resume, a rated game at a deadline (resume_deadlines.h): a rated game is
 * never lost through a failure of the house, so it waits also for an account whose node died. If
 * the downtime disconnected players of a paused rated game, that game waits for them too.
 *
 * Stop between two rounds, so that people can read the scores. It ends when the people at the table
 * have asked to go on, or at a deadline (round_stop.h). During the stop the game can be paused or
 * adjourned: then the pause or adjournment takes the place of the stop.
 *
 * Bots always agree. Turn-by-turn games have vacations instead.
 */

/* After the house's downtime, halts a live game until the players in `awaited` (bit s stands for
 * seat s; at least one bit) are back. */
void table_halt_wait_for_players(struct house *house, struct table *table, uint8_t awaited);

/* Begins the stop between two rounds; it ends at due_ms at the latest, 0: it has no deadline. */
void table_halt_begin_round_stop(struct house *house, struct table *table, int64_t due_ms);

/* Ends the stop between two rounds. If a downtime of the house during the stop disconnected players
 * who are not back, the game goes on waiting for them. */
void table_halt_end_round_stop(struct house *house, struct table *table);

/* Ends the halt, no matter who is present. */
void table_halt_end(struct house *house, struct table *table);

/* Records that a player has returned. This ends the halt if the game has waited for this player
 * alone. */
void table_halt_note_player_returned(struct house *house, struct table *table, int seat);

/* Called when all connections that survived a restart have returned; conns_survived is false when
 * no connection survived. Games stop waiting for guests who have not returned, since guests cannot
 * come back later. If connections survived, games also stop waiting for players who had
 * disconnected before the restart. */
void table_halts_stop_waiting_for_lost_players(struct house *house, bool conns_survived);

/* Withdraws the requests of a player who has lost the connection or left for good. */
void table_halt_note_player_gone(struct house *house, struct table *table, int seat);
