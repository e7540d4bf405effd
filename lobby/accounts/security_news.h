#pragma once

#include "lobby/house/house_state.h"

/*
 * Announces changes of how an account is opened (keys, password, codes) and of its role. All
 * connections of the account's owner are told. If the owner is not connected, they are told once,
 * at the next sign-in. Programs and query-only connections (`ssh host top`) do not count as
 * connected, since no human reads them.
 */

/* Announces the change on all of the account's connections, except the one that made the change
 * (`except`; NULL: none). When the notice is stored, connections by the key `not_by_key` (NULL: no
 * key) do not see it. Takes ownership of the sentence (say.h). */
void security_notify(struct house *house, int64_t account, const struct conn *except,
                     const char *not_by_key, json_t *sentence);
