#ifndef LOBBY_ACCOUNTS_ENTRY_H
#define LOBBY_ACCOUNTS_ENTRY_H

#include "lobby/house/house_state.h"

/*
 * Coming in: what the ways through the door have in common. A connection that is_asking signs in
 * without coming in: it may ask what anybody in the house may, but its person is not here for it,
 * nobody is told, and what waits for them goes on waiting.
 */

/* Signs the connection in to the account (or to a new guest's name, NULL) and answers the
 * request; refuses when the account may not come this way, or has its connections already.
 * `is_new` as in `you`. Comes in at once, unless it is_asking. */
void entry_sign_in(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_account *account, bool is_new);

#endif
