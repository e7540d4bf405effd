#pragma once

#include "lobby/house/house_state.h"

/* The friend lists of people who are here. Nobody else learns who is on them. */

/* Friends were renamed or removed: reloads the list and tells the person. */
void friends_reload(struct house *house, struct person *person);

/* True when the account (not 0) is a friend of the person. */
bool friends_has(const struct person *person, int64_t account);

/* The person has entered after being away since `seen_ms`: tells those who have them as a friend
 * and want to know, unless the absence was short. */
void friends_announce_arrival(struct house *house, const struct person *person, int64_t seen_ms);
