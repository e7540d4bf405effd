#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

#include <stdint.h>

/*
 * Reads moves that people type in plain mode, in any game: a card by its number in the hand or its
 * name, a bid by its number, any other move by its number in the printed list or by its label.
 */
enum typed {
    TYPED_NOTHING, /* the line names no move */
    TYPED_MOVE,    /* *move is the typed move, which may be illegal */
    TYPED_EARLY,   /* the line names a card, but it is not the viewer's turn */
};

/* Lists the slots of the viewer's hand in the order in which plain mode numbers the cards; returns
 * how many there are, 0 for a spectator. */
uint8_t typed_list_numbered_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX]);

/* Reads a typed line as a move. The line must have no surrounding blanks. */
enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move);

/* Prints all moves that the viewer, whose turn it is, can type, and why the other cards cannot be
 * played. */
void typed_print_possible_moves(const struct game_view *view, const struct words *words,
                                struct lines *lines);
