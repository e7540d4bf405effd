#pragma once

#include "lobby/tables/tables_state.h"

/* Tells players what they missed while they were absent from their table. */

/* Notes at the start of a game which players are at the table. */
void absences_note_players_at_start(struct house *house, struct table *table);

/* Called when one connection of the player on this seat has left the table. If it was the last one
 * there, notes up to which move the player has seen the game. */
void absences_note_departure(struct house *house, struct table *table, int seat);

/* Called when the connection `conn` of a player has come back to the table. Tells the player what
 * they missed, whether it is their turn, and why the game is halted. */
void absences_tell_returned_player(struct house *house, struct table *table, int seat,
                                   struct conn *conn);

/* After a restart, assumes that players who were at the table had seen all moves made so far. */
void absences_assume_moves_seen(struct table *table);

/* Returns the number of the table to which a disconnected person is sent back: of their live
 * tables, the one whose clock runs out first. Returns 0 when they were not disconnected or no table
 * waits for them. Call it before the person counts as present again. */
int64_t absences_table_to_return_to(const struct house *house, const struct person *person);

/* Tells the client to go back to the table that absences_table_to_return_to chose, if any. */
void absences_send_back_to_table(struct house *house, const struct conn *conn);

/* After sign-in, tells the person which other games wait for their move, and which halted games
 * will go on at a deadline, with or without them. */
void absences_tell_games_awaiting_move(struct house *house, const struct conn *conn);
