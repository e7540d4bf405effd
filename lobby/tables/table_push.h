#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Messages to the people at a table. Hidden cards are sent only from here, and only in the view of
 * the seat that the receiver holds. Everybody else gets a spectator's view.
 */

/* Sends `table`, `sheet`, `view` and `result`, in this order, to everybody at each table; each of
 * them only if it has changed. Called before a commit. */
void table_push_send_changes(struct house *house);

/* Writes the view of a seat (or SPECTATOR) as JSON. */
void table_push_write_view(const struct table *table, int8_t seat, struct text *out);
