#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * Describes what has happened, from the difference of two views of the same viewer: every bid,
 * card, trick, clue and turn, one line each. The lines say everything that a screen shows, and
 * nothing else: a view contains only what its viewer may know.
 */

/* Prints the end of the earlier view's round. The later view still has that round's tricks among
 * its past tricks and as its last trick. Prints nothing if both views are of the same round. */
void game_events_print_round_end(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines);

/* Prints what happened in the later view's round; a new round begins with its deal. game_print_turn
 * prints whose turn it is. */
void game_events_print(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines);

/* True if the later view contains everything that happened since; otherwise the whole view must be
 * printed. */
bool game_events_are_complete(const struct game_view *before, const struct game_view *now);
