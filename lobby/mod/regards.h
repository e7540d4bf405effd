#ifndef LOBBY_MOD_REGARDS_H
#define LOBBY_MOD_REGARDS_H

#include "lobby/house_state.h"

/* Whom people do not want to hear, or to play with. Private: nobody is told of it, and a refusal
 * says no more than one for other reasons does. */

/* Reads what the person, who has come, wants. */
void regards_read(struct house *house, struct person *person);

/* Whether the person wants to hear what this account (0: a guest or the house) says. */
bool regards_hears(const struct person *person, int64_t account) MUST_CHECK;

/* True when nobody who sits there and this person have anything against each other; else the
 * request is answered. */
bool regards_let_sit(struct house *house, struct conn *conn, int64_t request,
                     const struct table *table) MUST_CHECK;

#endif
