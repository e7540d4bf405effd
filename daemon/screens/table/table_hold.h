#pragma once

#include "daemon/screens/table/table_state.h"

/* The view that the screen shows while a finished trick stays on the table for a moment. */

/* Copies a view, but only the used part of `info`: views are large and mostly empty. */
void table_copy_view(struct game_view *to, const struct game_view *from);

/* Returns how long a finished trick stays on this person's screen, in ms. */
int64_t table_hold_ms(const struct model *model);

bool table_still_shows_finished_trick(const struct table_state *state);

/* True if the screen still shows the last trick of the round before that of the view. */
bool table_shows_old_round(const struct table_state *state, const struct game_view *now);

/* At the call, `held` is the view before a round's last trick, and `now` the view after that trick.
 * Changes `held` into the view to show while that trick stays on the table: the old round, with the
 * new deal still hidden. */
void table_make_view_of_finished_trick(struct game_view *held, const struct game_view *now);
