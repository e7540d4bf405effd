#ifndef LOBBY_ACCOUNTS_ENTRY_H
#define LOBBY_ACCOUNTS_ENTRY_H

#include "lobby/house/house_state.h"

/*
 * Coming in: what the ways through the door have in common. A connection that is_asking signs in
 * without coming in: it may ask what anybody in the house may, but its person is not here for it,
 * nobody is told, and what waits for them goes on waiting.
 */

/* Pushes everything a person in the house sees, but for what was said in the lobby up to the line
 * `heard`; 0: that too. */
void entry_tell_all(struct house *house, struct conn *conn, int64_t heard);

/* Signs the connection in to the account (or to a new guest's name, NULL) and answers the
 * request; refuses when the account may not come this way, or has its connections already.
 * `is_new` as in `you`. Comes in at once, unless it is_asking. */
void entry_sign_in(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_account *account, bool is_new);

/* There is room: writes of somebody who came while there was none from where, that they were seen,
 * and that their vacation is over. */
void entry_record(struct house *house, struct conn *conn);

/* There is room: the numbers that guests were given meanwhile are taken. */
void entry_save_guests(struct house *house);

#endif
