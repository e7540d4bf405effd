#pragma once

#include "lobby/house/house_state.h"

/* Tells the gate which networks are banned. From each of these networks the gate admits only one
 * connection at a time. */

/* Call when a ban of an address has begun or ended, or when the allowlist has changed: the gate
 * then gets the new list. */
void gate_bans_mark_changed(struct house *house);
