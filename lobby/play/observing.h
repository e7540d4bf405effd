#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Staff may observe a table unseen. They see and hear it without the table's delay and rules
 * for spectators, but never a hidden hand. When they leave, sit down, lose the connection or the
 * role, or when the table closes, the table's people are told who observed it and why. This duty is
 * stored, so it survives the end of a core.
 */

/* Moves the connection from its place to the table. */
void observing_start(struct house *house, struct conn *conn, struct table *table,
                     const char *reason);

/* Ends the observing, if any, and tells the table's people about it. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/* The person may not observe any more: sends their observing connections back to the lobby. */
void observing_end_for_person(struct house *house, struct person *person);

/* A stored connection has not returned after a restart: ends its observing. */
void observing_end_unreturned(struct house *house, const struct storage_connection *row);
