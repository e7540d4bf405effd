#pragma once

#include "lobby/house/house_state.h"

/* Tells the gate which networks are banned, so that it admits only one connection at a time from
 * each. */

/* An address ban has begun or ended, the allowlist has changed, or a new gate has no list yet. */
void barring_changed(struct house *house);
