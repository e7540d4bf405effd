#pragma once

#include "lobby/house/house_state.h"

/*
 * A change of what opens an account (keys, password, codes, role) is announced to all connections
 * of its person. If none is connected, it is announced once at the next sign-in. Programs and
 * query-only connections (`ssh host top`) do not count, since nobody reads them.
 */

/* Announces the change on all connections except `but`, which made it (NULL: none did). A stored
 * notice is not shown to connections by the key `not_by_key` (NULL: no key), which made the change
 * too. Takes over a sentence of say.h. */
void security_notify(struct house *house, int64_t account, const struct conn *but,
                     const char *not_by_key, json_t *sentence);
