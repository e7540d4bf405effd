#ifndef LOBBY_TABLES_TABLE_PUSH_H
#define LOBBY_TABLES_TABLE_PUSH_H

#include "lobby/house/house_state.h"

/*
 * What those at a table are told. Hidden cards leave the house here alone, and only as the view of
 * the seat the receiver holds; everybody else gets a spectator's.
 */

/* Before a commit: pushes `table`, `sheet`, `view` and `result` where they changed, in this order.
 */
void table_push_flush(struct house *house);

/* Appends the view of a seat (or SPECTATOR) as JSON. */
void table_push_write_view(const struct table *table, int8_t seat, struct text *out);

#endif
