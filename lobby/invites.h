#ifndef LOBBY_INVITES_H
#define LOBBY_INVITES_H

#include "lobby/house_state.h"

/* Invitations to a table: they open its lock and pass what it asks of players, and end after
 * INVITE_MS, or with the core. A person has one at a time, the newest. */

#define INVITE_MS 300000

bool invites_has(const struct house *house, const struct person *person, const struct table *table);

/* The table's host invites. Somebody who does not want to hear or to play with the host does not
 * learn of it, and neither does the host. */
void invites_make(struct house *house, const struct table *table, const struct person *host,
                  struct person *person);

#endif
