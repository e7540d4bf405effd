#ifndef LOBBY_TABLES_TABLE_RESTORE_H
#define LOBBY_TABLES_TABLE_RESTORE_H

#include "lobby/house/house_state.h"

/* Brings back every table that is not closed by replaying its moves; clocks go on from when the
 * last move was made. A table that lacks something, or whose record does not replay, is closed
 * (fault.h). */
void tables_restore(struct house *house);

#endif
