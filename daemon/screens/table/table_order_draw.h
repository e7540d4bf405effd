#pragma once

#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_order.h"

/* Draws a hand whose suits are put in order (table_order.h). */

/* A hand and its order, as they are drawn. */
struct order_picture {
    const struct game_view *view;
    const struct words *words;
    const struct face_order *order;
    int picked;    /* the place of the picked suit; -1: none */
    bool is_asked; /* the viewer can still change the order, so each suit has its number */
};

/* Puts the cards of a planned hand in that order, and adds a row for the marks below the cards. The
 * row above the cards names the suits instead of keys. */
void order_change_plan(const struct face_order *order, struct hand_plan *plan);

/* Draws the names of the suits above the drawn hand, with the picked one in brackets, and a mark
 * below each card that the holder will see. */
void order_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
                const struct order_picture *picture);

/* True if order_draw has room for a mark below each card that the holder will see. */
bool order_has_marks(const struct hand_plan *plan, const struct area *area);

/* Writes "ella will see only 1R, 4Y and 6B"; if that leaves enough of the width, also who sees the
 * other cards. */
const char *order_write_seen_cards(const struct game_view *view, const struct words *words,
                                   const struct face_order *order, int width, struct text *out);
