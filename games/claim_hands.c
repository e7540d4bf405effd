#include "games/claim.h"

#include "games/card.h"

#include <string.h>

/* how often the search for located cards goes over all hands; random games need up to 5 */
#define PASSES_MAX 16

static void set_remove(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] &= ~(UINT64_C(1) << (card % 64));
}

static uint8_t set_count(const struct card_set *set)
{
    return (uint8_t)(bits_count(set->bits[0]) + bits_count(set->bits[1]));
}

static uint8_t set_count_group(const struct deck_def *deck, const struct card_set *set,
                               uint8_t group)
{
    uint8_t count = 0;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        count =
            (uint8_t)(count + (claim_set_has(set, card) && claim_group_of(deck, card) == group));
    }
    return count;
}

uint8_t claim_group_of(const struct deck_def *deck, uint8_t card)
{
    uint8_t suit = card_suit(deck, card);
    return suit == SUIT_NONE ? deck->suit_count : suit;
}

/* Removes the trick's cards from the unseen ones. A seat that did not follow suit has no more cards
 * of the suit led; leading a card or playing a card without a suit proves nothing. */
static void read_trick(const struct view_trick *trick, struct claim_hands *hands)
{
    uint8_t led = trick->count == 0 ? SUIT_NONE : card_suit(hands->deck, trick->plays[0].card);
    for (uint8_t i = 0; i < trick->count; i++) {
        const struct view_play *play = &trick->plays[i];
        uint8_t suit = card_suit(hands->deck, play->card);
        uint8_t *bans = &hands->of[play->seat].bans;
        set_remove(&hands->unseen, play->card);
        if (led != SUIT_NONE && suit != led && suit != SUIT_NONE) {
            *bans = (uint8_t)(*bans | 1U << led);
        }
    }
}

/* Reads the cards of a hand that the claimant sees. In a hand that lies on the table, cards that
 * lie face down need not follow suit. */
static void read_hand(const struct game_view *view, uint8_t seat, bool is_open,
                      struct claim_hands *hands)
{
    struct claim_hand *hand = &hands->of[seat];
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        hand->count = (uint8_t)(hand->count + !slot->is_empty);
        hand->is_free = hand->is_free || (is_open && !slot->is_empty && slot->card == CARD_NONE);
        if (!slot->is_empty && slot->card != CARD_NONE) {
            card_set_add(&hand->known, slot->card);
            set_remove(&hands->unseen, slot->card);
        }
    }
    hand->bans = is_open ? 0 : hand->bans;
}

/* Adds the unseen cards of the suits that are not ruled out in this hand. */
static void add_unseen_cards(const struct claim_hands *hands, struct claim_hand *hand)
{
    for (uint8_t card = 0; card < card_count(hands->deck); card++) {
        uint8_t group = claim_group_of(hands->deck, card);
        if (claim_set_has(&hands->unseen, card) && (hand->bans >> group & 1) == 0) {
            card_set_add(&hand->may, card);
        }
    }
}

static void find_possible_cards(struct claim_hands *hands)
{
    uint8_t unknown = 0;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        struct claim_hand *hand = &hands->of[seat];
        hand->may = hand->known;
        unknown = (uint8_t)(unknown + hand->count - set_count(&hand->known));
        add_unseen_cards(hands, hand);
    }
    hands->rest = (uint8_t)(set_count(&hands->unseen) - unknown);
}

/* A hand whose cards are all known holds no others, and a hand that can hold no other cards holds
 * these. Returns whether that is news. */
static bool complete_hand(struct claim_hand *hand)
{
    uint8_t known = set_count(&hand->known);
    uint8_t may = set_count(&hand->may);
    if (known == may) {
        return false;
    }
    if (known == hand->count) {
        hand->may = hand->known;
    } else if (may == hand->count) {
        hand->known = hand->may;
    }
    return known == hand->count || may == hand->count;
}

/* When a card is known to be in a hand, it is in no other. When only one hand can hold a card that
 * somebody must hold, it is there. Returns whether that is news. */
static bool locate_card(struct claim_hands *hands, uint8_t card)
{
    uint8_t holders = 0;
    uint8_t owner = SEATS_MAX;
    uint8_t last = SEATS_MAX;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        bool may = claim_set_has(&hands->of[seat].may, card);
        holders = (uint8_t)(holders + may);
        last = may ? seat : last;
        owner = claim_set_has(&hands->of[seat].known, card) ? seat : owner;
    }
    if (owner == SEATS_MAX && holders == 1 && hands->rest == 0) {
        card_set_add(&hands->of[last].known, card);
        return true;
    }
    if (owner == SEATS_MAX || holders == 1) {
        return false;
    }
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        if (seat != owner) {
            set_remove(&hands->of[seat].may, card);
        }
    }
    return true;
}

/* Draws conclusions from each other. Stopping early only leaves more cards possible. */
static void locate_cards(struct claim_hands *hands)
{
    bool is_news = true;
    for (unsigned pass = 0; pass < PASSES_MAX && is_news; pass++) {
        is_news = false;
        for (uint8_t seat = 0; seat < hands->seats; seat++) {
            is_news = complete_hand(&hands->of[seat]) || is_news;
        }
        for (uint8_t card = 0; card < card_count(hands->deck); card++) {
            is_news = (claim_set_has(&hands->unseen, card) && locate_card(hands, card)) || is_news;
        }
    }
}

static void bound_suit_of_hand(const struct deck_def *deck, struct claim_hand *hand, uint8_t group)
{
    uint8_t may = set_count_group(deck, &hand->may, group);
    uint8_t known = set_count_group(deck, &hand->known, group);
    uint8_t room = (uint8_t)(hand->count - (set_count(&hand->known) - known));
    uint8_t others = (uint8_t)(set_count(&hand->may) - may);
    uint8_t left = (uint8_t)(hand->count > others ? hand->count - others : 0);
    hand->most[group] = may < room ? may : room;
    hand->fewest[group] = known > left ? known : left;
    hand->highest[group] = CARD_NONE;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        if (claim_set_has(&hand->may, card) && claim_group_of(deck, card) == group) {
            hand->highest[group] = card;
        }
    }
}

/* The cards of a suit for which the other hands and the rest have no room are in this hand. */
static void raise_fewest_of_suit(struct claim_hands *hands, uint8_t group)
{
    int cards = set_count_group(hands->deck, &hands->unseen, group) - hands->rest;
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        const struct claim_hand *hand = &hands->of[seat];
        uint8_t seen = 0;
        for (uint8_t card = 0; card < card_count(hands->deck); card++) {
            bool is_seen =
                claim_set_has(&hand->known, card) && !claim_set_has(&hands->unseen, card);
            seen = (uint8_t)(seen + (is_seen && claim_group_of(hands->deck, card) == group));
        }
        cards += seen - hand->most[group];
    }
    for (uint8_t seat = 0; seat < hands->seats; seat++) {
        struct claim_hand *hand = &hands->of[seat];
        int fewest = cards + hand->most[group];
        hand->fewest[group] =
            (uint8_t)(fewest > hand->fewest[group] ? fewest : hand->fewest[group]);
    }
}

void claim_hands_read(const struct game_view *view, const struct claim_facts *facts,
                      struct claim_hands *hands)
{
    memset(hands, 0, sizeof(*hands));
    hands->deck = view->game->deck;
    hands->seats = view->seats;
    hands->claimant = (uint8_t)view->seat;
    hands->unseen = facts->cards;
    for (uint8_t i = 0; i < view->past_count; i++) {
        read_trick(&view->past[i], hands);
    }
    read_trick(&view->trick, hands);
    for (uint8_t i = 0; i < view->trick.count; i++) {
        hands->of[view->trick.plays[i].seat].has_played = true;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        read_hand(view, seat, (facts->open_seats >> seat & 1) != 0, hands);
    }
    hands->own = hands->of[hands->claimant].known;
    memset(&hands->of[hands->claimant], 0, sizeof(hands->of[0]));
    find_possible_cards(hands);
    locate_cards(hands);
    for (uint8_t group = 0; group <= hands->deck->suit_count; group++) {
        for (uint8_t seat = 0; seat < view->seats; seat++) {
            bound_suit_of_hand(hands->deck, &hands->of[seat], group);
        }
        raise_fewest_of_suit(hands, group);
    }
}
