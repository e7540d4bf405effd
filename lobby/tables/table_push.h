#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Messages to those at a table. Hidden cards leave the house here only, and only in the view of the
 * seat that the receiver holds; everybody else gets a spectator's view.
 */

/* Called before a commit: pushes `table`, `sheet`, `view` and `result`, in this order, where they
 * have changed. */
void table_push_flush(struct house *house);

/* Appends the view of a seat (or SPECTATOR) as JSON. */
void table_push_write_view(const struct table *table, int8_t seat, struct text *out);
