#include "games/card.h"
#include "games/heckin_hounds/heckin_hounds.h"
#include "tests/bench/opponents/rules.h"

/*
 * Rules of thumb for the bad dog, clues and Cerberus in Heckin' Hounds. A player who expects few
 * tricks makes the most frequent suit the bad dog, one who expects many the mops. Clues tell
 * little, and the leader keeps Cerberus, who is certain to win a trick.
 */

#define BIT(n) (UINT64_C(1) << (n))
#define CLUE_COST_HOUND 3 /* how much naming a suit tells about a card's strength */
#define CLUE_COST_VALUE 1 /* how much naming a value tells about a card's strength */

/* All cards that are weaker than `card`. */
static uint64_t weaker_cards(uint8_t card)
{
    uint64_t suits = BIT(HOUNDS_SUITS * HOUNDS_VALUES) - 1;
    if (card == HOUNDS_CERBERUS_CARD) {
        return suits;
    }
    unsigned suit = card / HOUNDS_VALUES * (unsigned)HOUNDS_VALUES;
    uint64_t lower = BIT(card) - BIT(suit);
    return lower | (suits & ~(BIT(suit + HOUNDS_VALUES) - 1));
}

/* The chance that the seat plays a card weaker than `card`, if it plays a random card of its hand.
 */
static double chance_to_play_weaker(const struct hounds_places *places, uint8_t seat, uint8_t card)
{
    uint64_t weaker = weaker_cards(card);
    double sum = 0;
    unsigned held = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint64_t may = places->slots[seat][i];
        if (may != 0) {
            sum += (double)bits_count(may & weaker) / bits_count(may);
            held++;
        }
    }
    return held == 0 ? 1 : sum / held;
}

/* The number of tricks that the view's seat expects if everybody plays at random. */
static double expect_tricks(const struct game_view *view, const struct hounds_places *places)
{
    double tricks = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint64_t may = places->slots[view->seat][i];
        double sum = 0;
        for (uint64_t rest = may; rest != 0; rest &= rest - 1) {
            double chance = 1;
            for (uint8_t seat = 0; seat < view->seats; seat++) {
                chance *= (int8_t)seat == view->seat
                              ? 1
                              : chance_to_play_weaker(places, seat, bits_index_of_lowest(rest));
            }
            sum += chance;
        }
        tricks += may == 0 ? 0 : sum / bits_count(may);
    }
    return tricks;
}

static uint8_t choose_bad_dog(const struct game_view *view, const struct hounds_places *places)
{
    uint8_t cards[HOUNDS_SUITS] = {0};
    bool takes_many = expect_tricks(view, places) * view->seats > HOUNDS_SLOTS;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        for (uint8_t seat = 0; seat < view->seats; seat++) {
            cards[card_suit(&hounds_deck, view->hands[seat][i].card)]++;
        }
    }
    uint8_t best = takes_many ? HOUNDS_MOPS : 0;
    for (uint8_t suit = 0; suit < HOUNDS_SUITS && !takes_many; suit++) {
        best = cards[suit] > cards[best] ? suit : best;
    }
    return HOUNDS_MOVE_BAD + best;
}

/* The cost of a clue: how much new information it gives to the other player. */
static unsigned cost_of_clue(const struct game_view *view, uint8_t to, uint8_t clue_subject)
{
    unsigned cost = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        const struct view_slot *slot = &view->hands[to][i];
        bool is_slot = clue_subject == HOUNDS_SUBJECT_SLOT + i;
        bool is_hound = is_slot || hounds_clue_subject_for_suit(slot->card) == clue_subject;
        bool is_value = is_slot || hounds_clue_subject_for_value(slot->card) == clue_subject;
        cost += is_hound && slot->suit == SUIT_NONE ? CLUE_COST_HOUND : 0;
        cost += is_value && slot->value == 0 ? CLUE_COST_VALUE : 0;
    }
    return cost;
}

static uint8_t choose_clue(const struct game_view *view)
{
    uint8_t best = MOVE_NONE;
    unsigned best_cost = 0;
    for (uint8_t move = move_set_next(&view->legal, HOUNDS_MOVE_CLUE); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        uint8_t clue = (uint8_t)(move - HOUNDS_MOVE_CLUE);
        unsigned cost = cost_of_clue(view, clue / HOUNDS_SUBJECTS, clue % HOUNDS_SUBJECTS);
        if (best == MOVE_NONE || cost < best_cost) {
            best = move;
            best_cost = cost;
        }
    }
    return best;
}

uint8_t tree_choose_hounds(const struct game_view *view, UNUSED const struct game_config *config,
                           struct quick_random *random)
{
    struct hounds_places places;
    if (view->phase == HOUNDS_CLUE) {
        return choose_clue(view);
    }
    if (view->phase == HOUNDS_CERBERUS) {
        return (uint8_t)(HOUNDS_MOVE_CERBERUS + view->seat);
    }
    return hounds_find_possible_cards(view, hounds_known(view), &places)
               ? choose_bad_dog(view, &places)
               : tree_rules_random_move(&view->legal, random);
}
