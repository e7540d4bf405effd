#include "games/card.h"
#include "games/oh_hell/oh_hell.h"
#include "tests/bench/opponents/rules.h"

/* The light policy in Oh Hell: bids what the hand is worth, takes tricks while the bid is not
 * reached, and leaves the others. */

#define RANKS 13
#define CARDS 52
#define RANDOM_MOVES 10 /* one move in this many is random */

static bool is_trump(const struct oh_hell *state, uint8_t card)
{
    return card / RANKS == state->trump;
}

/* Returns how high the card is; all trumps are higher than all other cards. */
static int height_of_card(const struct oh_hell *state, uint8_t card)
{
    return card % RANKS + (is_trump(state, card) ? RANKS : 0);
}

static bool card_wins(const struct oh_hell *state, uint8_t card)
{
    uint8_t best = state->table.best_card;
    return state->table.trick_count == 0 ||
           (card / RANKS == best / RANKS ? card > best : is_trump(state, card));
}

/* Finds the highest or lowest of the cards that win the trick as it lies, or of those that do not.
 * MOVE_NONE if there is no such card. */
static uint8_t find_card(const struct oh_hell *state, uint64_t cards, bool wins, bool is_highest)
{
    uint8_t found = MOVE_NONE;
    for (; cards != 0; cards &= cards - 1) {
        uint8_t card = bits_index_of_lowest(cards);
        bool is_better = found == MOVE_NONE ||
                         (height_of_card(state, card) > height_of_card(state, found)) == is_highest;
        if (card_wins(state, card) == wins && is_better) {
            found = card;
        }
    }
    return found;
}

static uint8_t choose_card(const struct oh_hell *state, uint8_t seat, uint64_t cards)
{
    const struct table_state *table = &state->table;
    bool wants_trick = table->bids[seat] > table->tricks[seat];
    bool is_last = table->trick_count + 1 == table->seats;
    if (table->trick_count == 0) {
        return find_card(state, cards, true, wants_trick);
    }
    uint8_t card = wants_trick ? find_card(state, cards, true, !is_last)
                               : find_card(state, cards, false, true);
    return card != MOVE_NONE ? card
           : wants_trick     ? find_card(state, cards, false, false)
                             : find_card(state, cards, true, is_last);
}

/* Returns the legal bid nearest to the hand's worth, give or take 0.3 tricks. */
static uint8_t choose_bid(const struct oh_hell *state, uint8_t seat, uint64_t bids,
                          struct quick_random *random)
{
    static const uint8_t plain[RANKS] = {0, 0, 0, 0, 0, 0, 2, 5, 10, 15, 25, 45, 70};
    static const uint8_t trump[RANKS] = {20, 22, 25, 28, 32, 36, 42, 48, 56, 66, 78, 90, 100};
    unsigned worth = 20 + quick_random_draw_below(random, 60); /* in hundredths of a trick */
    for (uint64_t cards = state->table.hands[seat].bits[0]; cards != 0; cards &= cards - 1) {
        uint8_t card = bits_index_of_lowest(cards);
        worth += is_trump(state, card) ? trump[card % RANKS] : plain[card % RANKS];
    }
    unsigned bid = worth / 100 < state->table.slot_count ? worth / 100 : state->table.slot_count;
    while ((bids >> bid & 1) == 0) {
        bid = bid > 0 ? bid - 1 : 1;
    }
    return (uint8_t)(OH_HELL_BID_FIRST + bid);
}

uint8_t tree_light_oh_hell(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                           struct quick_random *random)
{
    const struct oh_hell *state = state_bytes;
    if (quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return tree_rules_random_move(legal, random);
    }
    return state->table.phase == OH_HELL_BID
               ? choose_bid(state, seat, legal->bits[OH_HELL_BID_FIRST / 64], random)
               : choose_card(state, seat, legal->bits[0] & ((UINT64_C(1) << CARDS) - 1));
}
