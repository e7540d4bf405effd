#pragma once

#include "lobby/house/house_state.h"

/* The allowlist: networks and keys that are exempt from bans and registration limits. */

/* True when the connection's address or key is on the allowlist. */
bool allowlist_has_conn(struct house *house, const struct conn *conn) MUST_CHECK;
bool allowlist_has_address(struct house *house, const char *address) MUST_CHECK;
