#pragma once

#include "lobby/tables/tables_state.h"

/* What players missed while they were away from their table. */

/* A game begins: notes that everybody here sees it. */
void absences_begin_game(struct house *house, struct table *table);

/* One of the seat holder's connections has left the table. */
void absences_note_departure(struct house *house, struct table *table, int seat);

/* The holder is back on this connection: sends one line about what they missed and whether it is
 * their turn, and one about why the game is halted. */
void absences_tell_returned_player(struct house *house, struct table *table, int seat,
                                   struct conn *conn);

/* The table was replayed: everybody who was here when the house went down has seen everything. */
void absences_restore(struct table *table);

/* The table that somebody lost the connection to, when they return to the house: of the live tables
 * where they have a seat, the one whose clock runs out first. 0: they were not disconnected, or
 * nothing waits for them. Call it before they count as being in again. */
int64_t absences_table_to_return_to(const struct house *house, const struct person *person);

/* Makes the connection's screen return to the table in conn.back_to. */
void absences_send_back_to_table(struct house *house, const struct conn *conn);

/* Called after sign-in: sends one line with the games that wait for their move elsewhere, and one
 * for each game with a deadline that goes on without them. */
void absences_tell_waiting_games(struct house *house, const struct conn *conn);
