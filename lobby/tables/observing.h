#ifndef LOBBY_TABLES_OBSERVING_H
#define LOBBY_TABLES_OBSERVING_H

#include "lobby/house/house_state.h"

/*
 * Whoever keeps order may watch a table unseen. They see and hear it as it is, whatever its rule
 * for watchers, though no hand that watchers do not see. Once they leave, lose the connection or
 * their role, sit down, or the table closes, its people are told who it was and why; that they are
 * to be told is stored, so a core that ends meanwhile changes nothing.
 */

/* Takes the connection to the table, out of where it was. */
void observing_begin(struct house *house, struct conn *conn, struct table *table,
                     const char *reason);

/* It does so no longer: the table's people are told, if it did. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/* The person may not observe any more: back to the lobby with every connection that does. */
void observing_stop(struct house *house, struct person *person);

/* A stored connection did not come back after the core did. */
void observing_gone(struct house *house, const struct storage_connection *row);

#endif
