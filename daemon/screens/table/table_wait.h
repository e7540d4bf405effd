#pragma once

#include "daemon/screens/table/table_state.h"

/* The waiting room, before the start. */

/* Draws the waiting room. */
void table_wait_draw(struct ui *ui, struct table_state *state, const struct canvas *canvas);
bool table_wait_handle_key(struct ui *ui, struct table_state *state, const struct press *press);
void table_wait_add_hints(struct ui *ui, struct hints *hints);
