#pragma once

#include "lobby/house/house_state.h"

/*
 * Tells the owner of an account that its keys, password, codes or role have changed. All
 * connections of the owner are told. An owner who is not connected is told once, at the next
 * sign-in. Programs and query-only connections (`ssh host top`) do not count as connected, since no
 * human reads them.
 */

/* Sends the sentence to all of the account's connections, except the one that made the change
 * (`skipped_conn`; NULL: none). If nobody reads the sentence now, it is stored for the next
 * sign-in; a sign-in by the key `skipped_key` (NULL: no key) does not show it. Takes ownership of
 * the sentence (say.h). */
void security_notify(struct house *house, int64_t account, const struct conn *skipped_conn,
                     const char *skipped_key, json_t *sentence);
