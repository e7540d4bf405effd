#pragma once

#include "lobby/house/house_state.h"

/* After each wrong password a name waits longer: 1, 2, 4 … config.door_backoff_max_s seconds,
 * whether it has an account or not; nobody is locked out. The waits are stored, so that neither a
 * restart nor a crash of the core lets anybody guess sooner. While the disk is full they are kept
 * in memory, and a restart loses those. So a core that has had no disk space since it started
 * treats every name as one that has just failed often. */

/* Seconds until this name may try again, 0: now. */
int64_t backoff_wait_s(struct house *house, const char *name);
void backoff_failed(struct house *house, const char *name);
void backoff_succeeded(struct house *house, const char *name);
