#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * Describes what has happened in a game between two views of the same viewer: every bid, card,
 * trick, clue and turn, one line each. The lines say everything that a screen shows, and nothing
 * else: a view contains only what its viewer may know.
 */

/* If a new round has begun since the earlier view, prints the remaining plays and the winner of the
 * previous round's last trick. Otherwise prints nothing. */
void game_events_print_round_end(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines);

/* Prints what happened since the earlier view in the later view's round. If that round is new, its
 * deal is printed first. game_print_turn prints whose turn it is. */
void game_events_print(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines);

/* True if the later view contains everything that happened since the earlier view; otherwise the
 * whole later view must be printed. */
bool game_events_are_complete(const struct game_view *before, const struct game_view *now);
