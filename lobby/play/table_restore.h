#pragma once

#include "lobby/house/house_state.h"

/* Restores every table that is not closed by replaying its moves; its clocks resume at the time of
 * the last move. A table whose data are incomplete, or whose record does not replay, is closed
 * (fault.h). */
void table_restore_all(struct house *house);
