#pragma once

#include "lobby/house/house_state.h"
#include "storage/mod/sanctions.h"

/* Tells staff that somebody banned tries to sign in, once per connection; `name` is an account's,
 * NULL for a guest or a new user. The lines are rate-limited: KNOCKS_BURST at once and then one a
 * minute, and one in ten minutes for the same ban. The next line counts those left out. */
#define KNOCKS_BURST 3
void knock_tell(struct house *house, const struct conn *conn, const struct storage_sanction *ban,
                const char *name);
