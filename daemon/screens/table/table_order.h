#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/table_choices.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Moves that put the suits of the viewer's hand in order (game_face.order). The viewer moves suits
 * about, sees the hand as it would lie, and confirms once. table_order_draw.h draws it.
 */
struct order_cursor {
    uint8_t move;   /* the move for the order that is shown; MOVE_NONE: the first legal one */
    int8_t picked;  /* place of the picked suit, from the left; -1: none */
    bool is_chosen; /* the player has picked or moved a suit */
};

/* The key that makes the move for the order shown, also if the player has changed nothing. */
#define ORDER_KEY_GIVE '=' /* no letter: a word that was meant as talk must not give */

/* Returns a cursor without a picked suit. */
struct order_cursor order_make_empty_cursor(void);

/* True if the viewer now has to put the suits in order. */
bool order_is_asked(const struct game_view *view);

/* Fills in the order that the hand is shown in: the one being made, or the one that the viewer has
 * chosen. Returns false if the hand is not shown in an order of suits. */
bool order_find_shown(const struct game_view *view, const struct order_cursor *cursor,
                      struct face_order *out);

/* Returns the suit's place in the order for the card at that place of the hand; -1 for an invalid
 * place. */
int order_find_suit_of_place(const struct game_view *view, const struct face_order *order,
                             int hand_place);

/* Handles a key while the viewer puts the suits in order. Arrows pick a suit, < and > move it,
 * a number picks a suit and a second number swaps two; Enter or ORDER_KEY_GIVE chooses the order
 * shown. clicked_place: for a click, the place of the clicked card
 * in the hand; -1: none. */
enum choice_result order_handle_key(const struct game_view *view, struct order_cursor *cursor,
                                    const struct press *press, int clicked_place, uint8_t *move);

/* Returns the move for an order that was typed as letters or names ("RYGB", "order r, y, g, b");
 * "order" alone means the order that order_print shows. MOVE_NONE for any other line. */
uint8_t order_parse_line(const struct game_view *view, const char *line);

/* True if an order is asked for and the line consists of suits, even if one is missing or named
 * twice: somebody tried to type an order. */
bool order_is_line_of_suits(const struct game_view *view, const char *line);

/* Prints, in plain mode, the hand in the order in which it lies and what its holder will see; if
 * the viewer now has to put the suits in order, also what to type. Returns false, and prints
 * nothing, if the hand does not lie in an order of suits. */
bool order_print(const struct game_view *view, const struct words *words, struct lines *lines);
