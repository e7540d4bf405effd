#pragma once

#include "lobby/house/house_state.h"
#include "storage/mod/sanctions.h"

/* Tells staff that somebody banned tries to sign in, once for each connection. `name` is that of an
 * account; NULL: a guest or a new user. The lines are rate-limited: KNOCKS_BURST at once, then one
 * a minute, and one in ten minutes for the same ban. The next line counts the attempts that were
 * left out. */
#define KNOCKS_BURST 3
void banned_attempts_notify_staff(struct house *house, const struct conn *conn,
                                  const struct storage_sanction *ban, const char *name);
