#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

#include <stdint.h>

/*
 * Moves as they are typed in plain mode, whatever the game: a card by its number in the hand or by
 * its name, a bid by its number, anything else by its place in the list that was told or by its
 * words.
 */
enum typed {
    TYPED_NOTHING, /* it is no move */
    TYPED_MOVE,    /* *move is meant; it need not be legal */
    TYPED_EARLY,   /* it looks like one, but it is not the viewer's turn */
};

/* The viewer's slots in the order of their numbers; returns how many. 0 for a spectator. */
uint8_t typed_places(const struct game_view *view, uint8_t slots[SLOTS_MAX]);

/* What the line means. It is without blanks around it. */
enum typed typed_read(const struct game_view *view, const struct words *words, const char *line,
                      uint8_t *move);

/* All that can be typed by the viewer, who is to act, and why the other cards will not do. */
void typed_tell(const struct game_view *view, const struct words *words, struct lines *lines);
