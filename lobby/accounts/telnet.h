#ifndef LOBBY_ACCOUNTS_TELNET_H
#define LOBBY_ACCOUNTS_TELNET_H

#include "lobby/house/house_state.h"

/*
 * Who may come by telnet, where anybody on the way reads along (SECURITY.md, Telnet): guests,
 * accounts made there, accounts that switched it on for themselves; never staff.
 */

/* Settings of an account that is made there. */
#define TELNET_SETTINGS "{\"telnet\":true}"

/* True when this account may sign in on this connection; else the request is answered. */
bool telnet_admits(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_account *account);

#endif
