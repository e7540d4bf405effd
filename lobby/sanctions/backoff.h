#ifndef LOBBY_SANCTIONS_BACKOFF_H
#define LOBBY_SANCTIONS_BACKOFF_H

#include "lobby/house/house_state.h"

/* After each wrong password a name waits longer: 1, 2, 4 … config.door_backoff_max_s seconds. Names
 * with and without account alike; nobody is locked out. Kept with the data: neither a restart nor a
 * crash of the core lets anybody guess sooner.
 *
 * While nothing can be written they are kept in memory. Those a core before this one kept there are
 * gone: a core that has never found room takes every name for one that has just failed often. */

/* Seconds until this name may be tried, 0: now. */
int64_t backoff_wait_s(struct house *house, const char *name);
void backoff_failed(struct house *house, const char *name);
void backoff_succeeded(struct house *house, const char *name);

#endif
