#ifndef LOBBY_ACCOUNTS_TELNET_H
#define LOBBY_ACCOUNTS_TELNET_H

#include "lobby/house/house_state.h"

/*
 * Who may use telnet, which anybody on the way can read (SECURITY.md, Telnet): guests, accounts
 * made over telnet, and accounts that enabled it; never staff.
 */

/* The settings of an account made over telnet. */
#define TELNET_SETTINGS "{\"telnet\":true}"

/* True when this account may sign in on this connection; else the request is answered. */
bool telnet_admits(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_account *account);

#endif
