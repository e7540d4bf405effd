#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Messages to the people at a table. Hidden cards leave the house only here, and only in the view
 * for the seat that the receiver holds; everybody else gets a spectator's view.
 */

/* Sends `table`, `sheet`, `view` and `result`, in this order, to everybody at a table where they
 * have changed. Called before a commit. */
void table_push_flush(struct house *house);

/* Writes the view of a seat (or SPECTATOR) as JSON. */
void table_push_write_view(const struct table *table, int8_t seat, struct text *out);
