#pragma once

#include "daemon/screens/table/table_state.h"

/* The table screen: which view it shows now. */

/* Copies what is set, not the whole of `info`: views are large and mostly empty. */
void table_view_copy(struct game_view *to, const struct game_view *from);

/* While a finished trick lies there. */
bool table_is_holding(const struct table_state *state);

/* Ends the hold and goes on to the present view. */
void table_hold_end(struct ui *ui, struct table_state *state);
