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
    TYPED_EARLY,   /* the line names a card or a move or is a number, but it is not the viewer's
                      turn */
    TYPED_UNKNOWN, /* the line is a number, a card or a move, or looks like a mistyped one, but
                      names no move of this moment */
};

/* Lists the slots of the viewer's hand in the order in which plain mode numbers the cards; returns
 * how many there are, 0 for a spectator. */
uint8_t typed_list_numbered_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX]);

/* True if the line consists of numbers alone: "3", "3,8". Such a line is never talk. */
bool typed_is_only_numbers(const char *line);

/* Reads a typed line as a move. A verb before the move ("bid 3", "play QS") is allowed if it is the
 * verb of that move. The line must have no surrounding blanks. */
enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move);

/* Reads a typed line as the move that the viewer wants to make at their next turn: a card by its
 * number or name, or any other move by its name. The move may be illegal then. MOVE_NONE: the line
 * names no move. */
uint8_t typed_parse_later_move(const struct game_view *view, const struct words *words,
                               const char *line);

/* Prints all moves that the viewer, whose turn it is, can type, and why the other cards cannot be
 * played. */
void typed_print_possible_moves(const struct game_view *view, const struct words *words,
                                struct lines *lines);
