#pragma once

#include "lobby/house/house_state.h"

/*
 * A change of what opens an account (keys, password, codes, role) is announced to all connections
 * of its person. If none was connected, it is announced once at the next sign-in. Programs and
 * query-only connections (`ssh house top`) do not count, since nobody reads them.
 */

/* Announces the change, except to the connection that made it (NULL: none did). A connection by the
 * key `not_by_key` (NULL: no key) counts as having made it too. Takes over a sentence of say.h. */
void security_tell(struct house *house, int64_t account, const struct conn *but,
                   const char *not_by_key, json_t *sentence);
