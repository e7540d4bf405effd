#pragma once

#include "lobby/house/house_state.h"

/* Restores all open tables. Replays the moves of their games; clocks resume where they stopped. A
 * table whose game cannot be replayed is closed (fault.h). */
void table_restore_all(struct house *house);
