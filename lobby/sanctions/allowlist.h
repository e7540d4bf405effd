#pragma once

#include "lobby/house/house_state.h"

/* The allowlist: networks and keys that are exempt from bans and registration limits. */

/* True when the connection's address or key is on the allowlist. */
bool allowlist_has_conn(struct house *house, const struct conn *conn) MUST_CHECK;

/* Makes the reads of allowlist_has_conn for a connection with this key (storage_read_ahead_begin).
 */
void allowlist_read_ahead(struct house *house, const char *fingerprint);
bool allowlist_has_address(struct house *house, const char *address) MUST_CHECK;
