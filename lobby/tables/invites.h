#ifndef LOBBY_TABLES_INVITES_H
#define LOBBY_TABLES_INVITES_H

#include "lobby/house/house_state.h"

/* Invitations to a table: they open its lock and pass what it asks of players, and end after
 * INVITE_MS, with the table, or when they are declined. A person has one at a time, the newest,
 * whatever becomes of the connection or of the core. */

#define INVITE_MS 300000

bool invites_has(const struct house *house, const struct person *person, const struct table *table);

/* Somebody comes in: reads the invitation they have, if any. */
void invites_begin(struct house *house, struct person *person);

/* Pushes it to a connection that has come (back), if it is still of use. */
void invites_tell(struct house *house, const struct conn *conn);

/* Those that have ended are kept no longer. */
void invites_forget(struct house *house);

/* The table has another host, or a host of another name: who is invited there is told. */
void invites_host_changed(struct house *house, const struct table *table);

/* The table closes: all that lead there end. */
void invites_end(struct house *house, const struct table *table);

/* The table's host invites. Somebody who does not want to hear or to play with the host does not
 * learn of it, and neither does the host. */
void invites_make(struct house *house, const struct table *table, const struct person *host,
                  struct person *person);

#endif
