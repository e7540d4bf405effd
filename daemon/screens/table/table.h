#pragma once

#include "daemon/screens/table/table_state.h"

/* The table screen: which view it shows now. */

/* Copies only the used part of `info`: views are large and mostly empty. */
void table_copy_view(struct game_view *to, const struct game_view *from);

/* True while a finished trick is held. */
bool table_is_trick_held(const struct table_state *state);

/* Stops holding the trick and shows the current view. */
void end_trick_hold(struct ui *ui, struct table_state *state);
