#pragma once

#include "daemon/screens/table/table_state.h"

/* Draws the table before the game starts, and handles its keys. */

void table_draw_before_start(struct ui *ui, struct table_state *state, const struct canvas *canvas);
bool table_handle_key_before_start(struct ui *ui, struct table_state *state,
                                   const struct press *press);
void table_add_hints_before_start(struct ui *ui, struct hints *hints);

int table_count_free_seats(const struct model_entered *entered);
