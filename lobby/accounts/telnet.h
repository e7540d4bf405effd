#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Who may use telnet, which anybody on the network path can read: guests, accounts made over
 * telnet, and accounts that enabled it; never staff.
 */

/* The settings of an account made over telnet. */
#define TELNET_SETTINGS "{\"telnet\":true}"

/* True when this account may sign in on this connection; else the request is answered. */
bool telnet_admits(const struct request *request, const struct storage_account *account);
