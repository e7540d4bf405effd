#pragma once

#include "daemon/screens/table/table_state.h"

/* A finished trick stays on screen for a moment. */

/* Turns the view before a round's last trick into the one to show while that trick lies there: the
 * round as it was, the new deal still hidden. `now` is the view after it. */
void table_hold_round(struct game_view *held, const struct game_view *now);
