#ifndef LOBBY_BACKOFF_H
#define LOBBY_BACKOFF_H

#include "lobby/house_state.h"

/* After each wrong password a name waits longer: 1, 2, 4 … LIMIT_BACKOFF_MAX_S seconds. Names with
 * and without account alike; nobody is locked out. Kept with the data: neither a restart nor a
 * crash of the core lets anybody guess sooner. */

/* Seconds until this name may be tried, 0: now. */
int64_t backoff_wait_s(struct house *house, const char *name);
void backoff_failed(struct house *house, const char *name);
void backoff_succeeded(struct house *house, const char *name);

#endif
