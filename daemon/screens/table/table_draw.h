#pragma once

#include "daemon/screens/table/table_state.h"

/* Draws the running or finished game. */
void table_draw_game(struct ui *ui, struct table_state *state, const struct canvas *canvas);
