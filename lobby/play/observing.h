#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Staff may observe a table unseen. They see and hear everything there without delay, but no hidden
 * hands. When they leave, sit down, lose the connection or their role, or when the table closes,
 * the people at the table are told who observed it and why. The observer is stored, so that this
 * survives a restart.
 */

/* Moves the connection to the table as an unseen observer. */
void observing_start(struct house *house, struct conn *conn, struct table *table,
                     const char *reason);

/* Ends the observing, if any, and discloses it to the people at the table. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/* Sends the observing connections of a person who is no longer staff back to the lobby. */
void observing_end_for_person(struct house *house, struct person *person);

/* Ends the observing of a stored connection that has not returned after a restart. */
void observing_end_unreturned(struct house *house, const struct storage_connection *row);
