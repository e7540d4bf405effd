#ifndef LOBBY_TABLES_TABLE_ROW_H
#define LOBBY_TABLES_TABLE_ROW_H

#include "lobby/house/house_state.h"

/* A table's row in the lobby (PROTOCOL.md, `lobby`), as everybody may know it: a new reference. */
json_t *table_row(const struct table *table);

#endif
