#pragma once

#include "daemon/screens/table/table_state.h"

/* Shows the result of a finished game. */

void table_result_draw(struct ui *ui, const struct table_state *state, const struct canvas *canvas,
                       const struct area *area);
bool table_result_handle_key(struct ui *ui, const struct press *press);
void table_result_add_hints(struct ui *ui, struct hints *hints);

/* Prints the result as lines of text: ranks, ratings, and whether the deal was fair. */
void table_result_print(struct ui *ui, const struct table_state *state, struct lines *lines);
