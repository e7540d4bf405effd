#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * What has happened, told from the difference of two views of the same viewer: every bid, card,
 * trick, clue and turn, one line each. Whatever can be seen on a screen is told, and nothing else:
 * a view holds what its viewer may know.
 */

/* The end of the earlier view's round: what it does not hold is in the later one's past tricks and
 * last trick. Nothing when both are of the same round. */
void game_events_round_end(const struct game_view *before, const struct game_view *now,
                           const struct words *words, struct lines *lines);

/* The rest: what happened in the later view's round, a new deal at its beginning included. Without
 * turns: game_tell_turn. */
void game_events_tell(const struct game_view *before, const struct game_view *now,
                      const struct words *words, struct lines *lines);

/* False when the later view does not hold all that happened since: then all of it is told. */
bool game_events_are_whole(const struct game_view *before, const struct game_view *now);
