#include "games/suppose/suppose.h"

/* Returns the place of a card in the hand as its holder will see it: cards with lower numbers lie
 * further left. */
static uint8_t compute_place(const struct face_order *order, uint8_t card)
{
    uint8_t suit = card_suit(&suppose_deck, card);
    uint8_t at = 0;
    while (at < order->suit_count && order->suits[at] != suit) {
        at++;
    }
    return (uint8_t)(at * (SUPPOSE_VALUES + 1) + card_value(&suppose_deck, card));
}

static void sort_slots(const struct game_view *view, struct face_order *order)
{
    const struct view_slot *hand = view->hands[view->seat];
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        uint8_t place = compute_place(order, hand[slot].card);
        uint8_t at = slot;
        while (at > 0 && compute_place(order, hand[order->slots[at - 1]].card) > place) {
            order->slots[at] = order->slots[at - 1];
            at--;
        }
        order->slots[at] = slot;
    }
}

bool suppose_fill_order(const struct game_view *view, uint8_t move, struct face_order *out)
{
    uint8_t colour_order = move == MOVE_NONE
                               ? suppose_read_colour_order(fields_find(&view->info, "arranged"))
                               : (uint8_t)(move - SUPPOSE_ARRANGE_FIRST);
    if (view->seat < 0 || view->phase != SUPPOSE_PREPARE || colour_order >= SUPPOSE_ARRANGEMENTS) {
        return false;
    }
    *out = (struct face_order){.holder = (uint8_t)((view->seat + 1) % view->seats)};
    out->suit_count = suppose_list_colours_of_order(colour_order, out->suits);
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        out->seen = (uint16_t)(out->seen | suppose_holder_sees_slot(slot) << slot);
    }
    sort_slots(view, out);
    return true;
}
