#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Who may use telnet, which anybody on the network path can read: guests, accounts made over
 * telnet, and accounts whose owners have enabled telnet. Staff never may.
 */

/* The first settings of an account made over telnet. */
#define TELNET_SETTINGS "{\"telnet\":true}"

/* True when this account may sign in on this connection; else the request is answered. */
bool telnet_sign_in_is_allowed(const struct request *request,
                               const struct storage_account *account);
