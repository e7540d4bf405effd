#ifndef LOBBY_TABLES_AWAY_H
#define LOBBY_TABLES_AWAY_H

#include "lobby/house/house_state.h"

/* What people missed while they were not at their table. */

/* A game begins: who is here sees it. */
void away_begin(struct house *house, struct table *table);

/* The holder of the seat has gone from the table, with this connection at least. */
void away_note(struct house *house, struct table *table, int seat);

/* They are back on this connection: one line about what they missed and whether it is their turn,
 * and one about why the game stands still. */
void away_tell(struct house *house, struct table *table, int seat, struct conn *conn);

/* The table was replayed: who was here when the house went away has seen everything. */
void away_restore(struct table *table);

/* Where somebody who comes into the house was when they lost the connection: of the tables with a
 * seat of theirs at which people sit together, the one whose time ends first. 0: they were not
 * thrown out, or nothing waits there now. Before they count as being in again. */
int64_t away_table_lost(const struct house *house, const struct person *person);

/* Has the connection's screen go back to the table it is to go to (conn.back_to). */
void away_send_back(struct house *house, const struct conn *conn);

/* Somebody has signed in: one line with the games that wait for their move elsewhere, and one for
 * each that goes on without them unless they come back to it. */
void away_tell_turns(struct house *house, const struct conn *conn);

#endif
