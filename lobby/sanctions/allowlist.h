#pragma once

#include "lobby/house/house_state.h"

/* The allowlist: networks and keys that are exempt from bans and registration limits. */

/* Whether the connection's address, or its key if it has one, is on the list. */
bool allowed_is(struct house *house, const struct conn *conn) MUST_CHECK;
bool allowed_has_address(struct house *house, const char *address) MUST_CHECK;
