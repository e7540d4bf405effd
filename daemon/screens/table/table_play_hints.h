#pragma once

#include "daemon/screens/table/table_state.h"

/* Adds the keys that do something in the game now to the hints. */
void table_play_add_hints(struct ui *ui, const struct table_state *state, struct hints *hints);
