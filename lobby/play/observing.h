#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Staff may observe a table unseen. They see and hear everything at the table without delay, but no
 * hidden hands. Observing ends when the observer leaves, sits down, or loses the connection or the
 * staff role, and when the table closes. Then the people at the table are told who observed it and
 * why. The observer is stored, so that this works across a restart.
 */

/* Moves the connection to the table as an unseen observer. */
void observing_start(struct house *house, struct conn *conn, struct table *table,
                     const char *reason);

/* Ends this connection's observing, if any, and tells the people at the table who observed it. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/* Sends the observing connections of a person who is no longer staff back to the lobby. */
void observing_end_for_person(struct house *house, struct person *person);

/* Ends the observing of a stored connection that did not return after a restart. */
void observing_end_for_lost_connection(struct house *house, const struct storage_connection *row);
