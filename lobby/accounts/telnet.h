#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * The accounts that may use telnet: guests, accounts made over telnet, and accounts whose owners
 * have enabled telnet. Staff never may, because anybody on the network path can read telnet.
 */

/* The settings that a new account made over telnet starts with. */
#define TELNET_SETTINGS "{\"telnet\":true}"

/* True when this account may sign in on this connection; otherwise the request is refused. */
bool telnet_sign_in_is_allowed(const struct request *request,
                               const struct storage_account *account);
