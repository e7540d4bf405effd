#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/replay/replay_game.h"

/* Prints what the last move of a replay did: its story, the points of a round that it ended, hands
 * that are new, and at the end of the game the result. `before` is the view that was shown before
 * the move. */
void replay_print_step(const struct replay_game *game, const struct game_view *before,
                       const struct words *words, struct lines *lines);
