#include "tests/bench/opponents/greedy.h"

#include "games/oh_hell/oh_hell.h"

#define RANKS 13
#define ACE (RANKS - 1)

static uint8_t suit_of(uint8_t card)
{
    return card / RANKS;
}

/* Returns how many trumps from the ace down without a gap are in the hand or, for one of them,
 * turned up. Only those in the hand count. */
static uint8_t count_top_trumps(uint64_t hand, uint8_t turnup)
{
    uint8_t count = 0;
    for (uint8_t rank = RANKS; rank-- > 0;) {
        uint8_t card = (uint8_t)(suit_of(turnup) * RANKS + rank);
        bool is_held = (hand >> card & 1) != 0;
        if (!is_held && card != turnup) {
            break;
        }
        count = (uint8_t)(count + is_held);
    }
    return count;
}

static uint8_t count_sure_tricks(const struct game_view *view)
{
    uint8_t own = (uint8_t)view->seat;
    uint8_t turnup = oh_hell_known(view)->turnup;
    uint64_t hand = 0;
    for (uint8_t slot = 0; slot < view->slot_count[own]; slot++) {
        hand |= UINT64_C(1) << view->hands[own][slot].card;
    }
    uint8_t sure = count_top_trumps(hand, turnup);
    for (uint8_t suit = 0; suit < standard_deck.suit_count; suit++) {
        bool is_ace_held = (hand >> (suit * RANKS + ACE) & 1) != 0;
        sure = (uint8_t)(sure + (suit != suit_of(turnup) && is_ace_held));
    }
    return sure;
}

static uint8_t choose_bid(const struct game_view *view)
{
    uint8_t sure = (uint8_t)(OH_HELL_BID_FIRST + count_sure_tricks(view));
    if (move_set_has(&view->legal, sure)) {
        return sure;
    }
    return sure > OH_HELL_BID_FIRST ? (uint8_t)(sure - 1) : OH_HELL_BID_FIRST + 1;
}

/* Returns how high the card is; all trumps are higher than all other cards. */
static uint8_t height_of_card(uint8_t card, uint8_t trump)
{
    return (uint8_t)(card % RANKS + (suit_of(card) == trump ? RANKS : 0));
}

/* Whether the card wins against those that lie in the trick. A lead wins. */
static bool card_wins(const struct game_view *view, uint8_t card, uint8_t trump)
{
    for (uint8_t i = 0; i < view->trick.count; i++) {
        uint8_t other = view->trick.plays[i].card;
        bool is_beaten = suit_of(other) == suit_of(card) ? other > card : suit_of(other) == trump;
        if (is_beaten ||
            (suit_of(card) != suit_of(view->trick.plays[0].card) && suit_of(card) != trump)) {
            return false;
        }
    }
    return true;
}

/* Finds the highest or lowest legal card that wins, or that does not. MOVE_NONE if there is
 * none. */
static uint8_t find_card(const struct game_view *view, bool wins, bool is_highest)
{
    uint8_t trump = suit_of(oh_hell_known(view)->turnup);
    uint8_t found = MOVE_NONE;
    for (uint8_t card = move_set_next(&view->legal, 0); card != MOVE_NONE;
         card = move_set_next(&view->legal, card + 1U)) {
        bool is_better = found == MOVE_NONE ||
                         (height_of_card(card, trump) > height_of_card(found, trump)) == is_highest;
        found = card_wins(view, card, trump) == wins && is_better ? card : found;
    }
    return found;
}

static uint8_t choose_card(const struct game_view *view)
{
    uint8_t own = (uint8_t)view->seat;
    bool wants_trick = view->tricks[own] < view->bids[own];
    bool is_last = view->trick.count + 1 == view->seats;
    if (view->trick.count == 0) {
        return find_card(view, true, wants_trick);
    }
    uint8_t card = wants_trick ? find_card(view, true, !is_last) : find_card(view, false, true);
    return card != MOVE_NONE ? card : find_card(view, !wants_trick, false);
}

uint8_t greedy_choose_move(const struct game_view *view)
{
    return view->phase == OH_HELL_BID ? choose_bid(view) : choose_card(view);
}
