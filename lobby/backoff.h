#ifndef LOBBY_BACKOFF_H
#define LOBBY_BACKOFF_H

#include "lobby/house_state.h"

/* After each wrong password a name waits longer: 1, 2, 4 … backoff_max_s seconds. Names with
 * and without account alike; nobody is locked out. */

/* Seconds until this name may be tried, 0: now. */
int64_t backoff_wait_s(const struct house *house, const char *name);
void backoff_failed(struct house *house, const char *name);
void backoff_succeeded(struct house *house, const char *name);
void backoffs_clear(struct house *house);

#endif
