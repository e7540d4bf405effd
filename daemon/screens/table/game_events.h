#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * Describes what has happened, from the difference of two views of the same viewer: every bid,
 * card, trick, clue and turn, one line each. It says everything that a screen shows, and nothing
 * else: a view contains only what its viewer may know.
 */

/* The end of the earlier view's round. What that view lacks is in the later one's past tricks and
 * last trick. Nothing if both are of the same round. */
void game_events_print_round_end(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines);

/* The rest: what happened in the later view's round, with a new deal at its beginning. Without
 * turns: game_print_turn. */
void game_events_print(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines);

/* False if the later view does not contain everything that happened since: then the whole view is
 * printed. */
bool game_events_are_complete(const struct game_view *before, const struct game_view *now);
