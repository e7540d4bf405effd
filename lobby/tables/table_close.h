#ifndef LOBBY_TABLES_TABLE_CLOSE_H
#define LOBBY_TABLES_TABLE_CLOSE_H

#include "lobby/house/house_state.h"

/* Closed for good: everybody here is told, and it leaves the lobby. */
void table_close(struct house *house, struct table *table);

#endif
