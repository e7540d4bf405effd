#pragma once

#include "lobby/house/house_state.h"

/* The friend lists of the people in the house. Nobody else learns who is on a list. */

/* Reloads the person's friends after some were renamed or removed, and sends the new list. */
void friends_reload(struct house *house, struct person *person);

/* True when the account is a friend of the person; false for account 0 (a guest). */
bool friends_include_account(const struct person *person, int64_t account);

/* Tells the person's friends that the person has entered: all connected people who have the person
 * as a friend and want such notices. Who was told of an arrival a moment ago is told of all further
 * ones together, a little later. Does nothing after a short absence; `last_seen_ms` is when the
 * person was last in the house. */
void friends_announce_arrival(struct house *house, const struct person *person,
                              int64_t last_seen_ms);
