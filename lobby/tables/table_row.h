#ifndef LOBBY_TABLES_TABLE_ROW_H
#define LOBBY_TABLES_TABLE_ROW_H

#include "lobby/house/house_state.h"

/* PROTOCOL.md's table row. Everybody may know what stands in it. */
struct table_row table_row_of(const struct table *table);

/* As watchers know them: 0 and 0 before the first game; rounds 0 also when unknown. */
void table_rounds(const struct table *table, uint8_t *round, uint8_t *rounds);

#endif
