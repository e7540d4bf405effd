#pragma once

#include "lobby/house/house_state.h"

/* Tells the gate which networks are banned, so that it admits only one connection at a time from
 * each. */

/* Call after a ban of an address has begun or ended, or the allowlist has changed: the gate gets
 * the new list. */
void barring_mark_changed(struct house *house);
