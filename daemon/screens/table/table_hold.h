#pragma once

#include "daemon/screens/table/table_state.h"

/* Holds a finished trick on the screen for a moment. */

/* Turns the view before a round's last trick into the view to show while that trick is held: the
 * old round, with the new deal still hidden. `now` is the view after it. */
void table_hold_round(struct game_view *held, const struct game_view *now);
