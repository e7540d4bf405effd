#pragma once

#include "lobby/house/house_state.h"

/* Restores all open tables by replaying their moves; clocks resume where they stopped. A table that
 * cannot be replayed is closed (fault.h). */
void table_restore_all(struct house *house);
