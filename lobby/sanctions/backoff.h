#pragma once

#include "lobby/house/house_state.h"

/* After each wrong password a name has to wait longer: 1, 2, 4 … config.door_backoff_max_s seconds,
 * whether an account has the name or not. Nobody is locked out for ever; callers give known
 * sources a name of their own, so that others do not delay them. The waits are stored, so
 * that a restart or crash of the core does not shorten them. While the disk is full, the waits are
 * kept in memory, and a restart loses them. Therefore a core that has had no disk space since it
 * started lets every name wait as long as after many wrong passwords. */

/* How many seconds the name has to wait before the next attempt; 0: none. */
int64_t backoff_get_wait_s(struct house *house, const char *name);
void backoff_count_failure(struct house *house, const char *name);
/* How many attempts have failed since the last reset. */
uint32_t backoff_count_known_failures(struct house *house, const char *name);
void backoff_reset(struct house *house, const char *name);
