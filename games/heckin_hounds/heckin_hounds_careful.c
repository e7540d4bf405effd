#include "games/heckin_hounds/heckin_hounds.h"

#include "games/bits.h"

/*
 * The careful policy computes for every card the chance that it wins a trick if everybody played at
 * random, from what may lie in the other hands. A card of the player's own hand that the player
 * cannot see counts as the mean of the cards it may be. From these chances follows the expected
 * number of tricks. A bid or a play is good when the total after the round is likely to be 0 or a
 * little more. Certainty helps: the policy drops and trades the cards whose chances are most
 * uncertain, and as leader it gives clues that tell little.
 */

#define BIT(n) (UINT64_C(1) << (n))

/* How bad the policy considers a total after the round. A player below 0 cannot win, but while
 * rounds remain the total can still rise. Tuned by playing against random players. */
#define COST_NEGATIVE_LAST 3.0
#define COST_NEGATIVE_EARLY 1.0
#define COST_BELOW 1.3    /* cost of each point below 0 */
#define COST_BADNESS 0.05 /* cost of each bad-dog card taken */
#define TRADE_GAIN 0.02   /* gain in certainty that makes a trade worthwhile */
#define CLUE_COST_HOUND 3 /* how much naming a suit tells about a card's strength */
#define CLUE_COST_VALUE 1 /* how much naming a value tells about a card's strength */

struct estimate {
    const struct game_view *view;
    uint8_t me;
    struct hounds_known known;
    struct hounds_places places;
    double worth[HOUNDS_CARDS];   /* the chance that a card wins a trick */
    double chances[HOUNDS_SLOTS]; /* the chance that a slot of the viewer's own hand wins a trick; 0
                                     for an empty slot */
};

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

/* The chance that the seat plays one of `cards` next, if it plays a random card of its hand. */
static double chance_to_play_one_of(const struct estimate *estimate, uint8_t seat, uint64_t cards)
{
    double sum = 0;
    unsigned held = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint64_t may = estimate->places.slots[seat][i];
        if (may != 0) {
            sum += (double)bits_count(may & cards) / bits_count(may);
            held++;
        }
    }
    return held == 0 ? 1 : sum / held;
}

static double chance_to_win_some_trick(const struct estimate *estimate, uint8_t card)
{
    uint64_t weaker = weaker_cards(card);
    double chance = 1;
    for (uint8_t seat = 0; seat < estimate->view->seats; seat++) {
        chance *= seat == estimate->me ? 1 : chance_to_play_one_of(estimate, seat, weaker);
    }
    return chance;
}

/* The mean chance of the cards in `cards` to win a trick. */
static double mean_chance_to_win_some_trick(const struct estimate *estimate, uint64_t cards)
{
    double sum = 0;
    for (uint64_t rest = cards; rest != 0; rest &= rest - 1) {
        sum += estimate->worth[bits_index_of_lowest(rest)];
    }
    return cards == 0 ? 0 : sum / bits_count(cards);
}

/* Estimates the chance of each card, and of each slot of the viewer's own hand, to win a trick.
 * False when the view is no valid view of Heckin' Hounds. */
static bool fill_card_estimate(const struct game_view *view, struct estimate *estimate)
{
    estimate->view = view;
    estimate->me = (uint8_t)view->seat;
    if (!hounds_read_view(view, &estimate->known) ||
        !hounds_find_possible_cards(view, &estimate->known, &estimate->places)) {
        return false;
    }
    for (uint8_t card = 0; card < HOUNDS_CARDS; card++) {
        estimate->worth[card] = chance_to_win_some_trick(estimate, card);
    }
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        estimate->chances[i] =
            mean_chance_to_win_some_trick(estimate, estimate->places.slots[estimate->me][i]);
    }
    return true;
}

/* How uncertain an event with this chance is: most uncertain at a chance of one half. */
static double uncertainty_of(double chance)
{
    return chance * (1 - chance);
}

double hounds_cost_of_total(int total, bool is_last)
{
    if (total >= 0) {
        return total;
    }
    return (is_last ? COST_NEGATIVE_LAST : COST_NEGATIVE_EARLY) - COST_BELOW * total;
}

double hounds_mean_cost_of_total(int total_before, bool is_last, const double chances[HOUNDS_SLOTS])
{
    double tricks[HOUNDS_SLOTS + 1] = {1};
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        for (uint8_t k = (uint8_t)(i + 1); k > 0; k--) {
            tricks[k] = tricks[k] * (1 - chances[i]) + tricks[k - 1] * chances[i];
        }
        tricks[0] *= 1 - chances[i];
    }
    double cost = 0;
    for (uint8_t k = 0; k <= HOUNDS_SLOTS; k++) {
        cost += tricks[k] * hounds_cost_of_total(total_before + k, is_last);
    }
    return cost;
}

uint8_t hounds_choose_bid(int total, bool is_last, const double chances[HOUNDS_SLOTS])
{
    uint8_t best = 0;
    double best_cost = 0;
    for (uint8_t bid = 0; bid <= HOUNDS_BID_MOST; bid++) {
        double cost = hounds_mean_cost_of_total(total - bid, is_last, chances);
        if (bid == 0 || cost < best_cost) {
            best = bid;
            best_cost = cost;
        }
    }
    return HOUNDS_MOVE_BID + best;
}

uint8_t hounds_most_uncertain_slot(const double chances[HOUNDS_SLOTS])
{
    uint8_t best = 0;
    for (uint8_t i = 1; i < HOUNDS_SLOTS; i++) {
        if (uncertainty_of(chances[i]) > uncertainty_of(chances[best])) {
            best = i;
        }
    }
    return best;
}

bool hounds_is_trade_better(double given, double drawn)
{
    return uncertainty_of(given) > uncertainty_of(drawn) + TRADE_GAIN;
}

static bool is_last_round(const struct game_view *view)
{
    return view->round == view->rounds;
}

/* The chance that a card of the viewer's own hand wins the current trick. */
static double chance_to_win_current_trick(const struct estimate *estimate, uint8_t card)
{
    const struct game_view *view = estimate->view;
    uint64_t weaker = weaker_cards(card);
    for (uint8_t i = 0; i < view->trick.count; i++) {
        if ((weaker >> view->trick.plays[i].card & 1) == 0) {
            return 0;
        }
    }
    double chance = 1;
    uint8_t seat = estimate->me;
    for (uint8_t after = view->trick.count; after + 1 < view->seats; after++) {
        seat = (uint8_t)((seat + 1) % view->seats);
        chance *= chance_to_play_one_of(estimate, seat, weaker);
    }
    return chance;
}

static uint8_t count_bad_dogs_in_trick(const struct estimate *estimate)
{
    const struct view_trick *trick = &estimate->view->trick;
    uint8_t count = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t suit = card_suit(&hounds_deck, trick->plays[i].card);
        count = (uint8_t)(count + (suit == estimate->known.bad_dog));
    }
    return count;
}

static uint8_t choose_card_to_play(const struct estimate *estimate)
{
    const struct game_view *view = estimate->view;
    uint8_t me = estimate->me;
    int before = view->scores[me] - view->bids[me] + view->tricks[me];
    uint8_t best = MOVE_NONE;
    double best_cost = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint64_t may = estimate->places.slots[me][i];
        if (may == 0) {
            continue;
        }
        double now = 0;
        for (uint64_t rest = may; rest != 0; rest &= rest - 1) {
            now +=
                chance_to_win_current_trick(estimate, bits_index_of_lowest(rest)) / bits_count(may);
        }
        double chances[HOUNDS_SLOTS];
        for (uint8_t j = 0; j < HOUNDS_SLOTS; j++) {
            chances[j] = j == i ? now : estimate->chances[j];
        }
        double cost = hounds_mean_cost_of_total(before, is_last_round(view), chances) +
                      COST_BADNESS * now * count_bad_dogs_in_trick(estimate);
        if (best == MOVE_NONE || cost < best_cost) {
            best = HOUNDS_MOVE_PLAY + i;
            best_cost = cost;
        }
    }
    return best;
}

static uint8_t choose_trade(const struct estimate *estimate)
{
    uint8_t slot = hounds_most_uncertain_slot(estimate->chances);
    double drawn = mean_chance_to_win_some_trick(estimate, estimate->places.pool);
    bool is_better = hounds_is_trade_better(estimate->chances[slot], drawn);
    uint8_t move = (uint8_t)(HOUNDS_MOVE_TRADE + slot);
    return is_better && move_set_has(&estimate->view->legal, move) ? move : HOUNDS_MOVE_PASS;
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

/* A player who expects many tricks chooses a rare bad dog; a player who expects few chooses a
 * frequent one. */
static uint8_t choose_bad_dog(const struct estimate *estimate)
{
    const struct game_view *view = estimate->view;
    uint8_t cards[HOUNDS_SUITS] = {0};
    double expected = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        expected += estimate->chances[i];
        for (uint8_t seat = 0; seat < view->seats; seat++) {
            cards[card_suit(&hounds_deck, view->hands[seat][i].card)]++;
        }
    }
    bool takes_many = expected * view->seats > HOUNDS_SLOTS;
    uint8_t best = takes_many ? HOUNDS_MOPS : 0;
    for (uint8_t suit = 0; suit < HOUNDS_SUITS && !takes_many; suit++) {
        best = cards[suit] > cards[best] ? suit : best;
    }
    return HOUNDS_MOVE_BAD + best;
}

uint8_t hounds_careful_move(const struct game_view *view, const struct game_config *config,
                            struct quick_random *random)
{
    struct estimate estimate;
    if (view->phase == HOUNDS_CLUE) {
        return choose_clue(view);
    }
    if (view->phase == HOUNDS_CERBERUS) {
        return (uint8_t)(HOUNDS_MOVE_CERBERUS +
                         view->seat); /* Cerberus is certain to win a trick */
    }
    if (!fill_card_estimate(view, &estimate)) {
        return policy_random_move(view, config, random);
    }
    switch ((enum hounds_phase)view->phase) {
    case HOUNDS_BAD:
        return choose_bad_dog(&estimate);
    case HOUNDS_DISCARD:
        return (uint8_t)(HOUNDS_MOVE_DISCARD + hounds_most_uncertain_slot(estimate.chances));
    case HOUNDS_TRADE:
        return choose_trade(&estimate);
    case HOUNDS_BID:
        return hounds_choose_bid(view->scores[estimate.me], is_last_round(view), estimate.chances);
    case HOUNDS_CLUE:
    case HOUNDS_CERBERUS:
    case HOUNDS_PLAY:
        break;
    }
    return choose_card_to_play(&estimate);
}
