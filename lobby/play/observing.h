#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Staff may observe a table unseen. They see and hear everything at the table without delay, but no
 * hidden hands. Observing ends when the observer leaves, sits down, or loses the connection or the
 * staff role, and when the table closes. Then the people at the table are told who observed it and
 * why. The observer's name and reason are stored, so that the people are told even after a restart.
 */

/* Moves the connection to the table as an unseen observer. */
void observing_start(struct house *house, struct conn *conn, struct table *table,
                     const char *reason);

/* Ends this connection's observing, if any, and tells the people at the table who observed it. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/* Called when a person is no longer staff: sends those of the person's connections that observe a
 * table back to the lobby. */
void observing_end_for_person(struct house *house, struct person *person);

/* Ends the observing of a stored connection that did not return after a restart. */
void observing_end_for_lost_connection(struct house *house, const struct storage_connection *row);
