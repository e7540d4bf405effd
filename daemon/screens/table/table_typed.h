#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

#include <stdint.h>

/*
 * Reads moves that people type in plain mode, in any game: a card by its number in the hand or its
 * name, a bid by its number, anything else by its place in the printed list or by its words.
 */
enum typed {
    TYPED_NOTHING, /* the line is no move */
    TYPED_MOVE,    /* *move was typed; it may be illegal */
    TYPED_EARLY,   /* the line looks like a move, but it is not the viewer's turn */
};

/* Lists the viewer's slots in the order of their printed numbers; returns the number of slots, 0
 * for a spectator. */
uint8_t typed_order_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX]);

/* Reads a typed line as a move. The line must have no surrounding blanks. */
enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move);

/* Prints everything that the viewer, whose turn it is, can type, and why the other cards are not
 * allowed. */
void typed_print_options(const struct game_view *view, const struct words *words,
                         struct lines *lines);
