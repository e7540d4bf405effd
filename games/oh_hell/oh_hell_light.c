#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/oh_hell/oh_hell.h"

/*
 * What searching bots need: the light policy, by which they play imagined deals to their end, and
 * how likely it is that players with these hands bid as they did. The light policy bids about what
 * the hand is worth, then takes tricks until the bid is reached and avoids the others.
 */

#define RANKS 13
#define CARD_BITS UINT64_C(0xFFFFFFFFFFFFF)
#define RANDOM_MOVES                                                                               \
    10 /* one move in this many is made at random, so that no deal is always played the            \
          same way */

static uint64_t cards_of_suit(uint8_t suit)
{
    return ((UINT64_C(1) << RANKS) - 1) << (RANKS * suit);
}

/* The cards of the set that would win the trick as it lies now; all of them when leading. */
static uint64_t find_winning_cards(const struct oh_hell *state, uint64_t cards)
{
    if (state->table.trick_count == 0) {
        return cards;
    }
    uint8_t best = state->table.best_card;
    uint64_t higher = cards_of_suit(best / RANKS) & ~((UINT64_C(2) << best) - 1);
    uint64_t trumps = best / RANKS == state->trump ? 0 : cards_of_suit(state->trump);
    return cards & (higher | trumps);
}

/* How likely the card is to win a trick: its rank, and more for a trump. */
static uint8_t rate_card(const struct oh_hell *state, uint8_t card)
{
    return (uint8_t)(card % RANKS + (card / RANKS == state->trump ? RANKS : 0));
}

/* Returns the card of the set, which is not empty, that is rated highest or lowest. */
static uint8_t find_extreme_card(const struct oh_hell *state, uint64_t cards, bool is_highest)
{
    uint8_t found = bits_index_of_lowest(cards);
    for (uint64_t rest = cards & (cards - 1); rest != 0; rest &= rest - 1) {
        uint8_t card = bits_index_of_lowest(rest);
        if (rate_card(state, card) > rate_card(state, found) ? is_highest : !is_highest) {
            found = card;
        }
    }
    return found;
}

static uint8_t choose_card(const struct oh_hell *state, uint8_t seat, uint64_t cards)
{
    const struct table_state *table = &state->table;
    uint64_t winning = find_winning_cards(state, cards);
    uint64_t losing = cards & ~winning;
    bool wants_trick = table->bids[seat] > table->tricks[seat];
    bool is_last = table->trick_count + 1 == table->seats;
    if (table->trick_count == 0) {
        return find_extreme_card(state, cards, wants_trick);
    }
    if (wants_trick) {
        return winning == 0 ? find_extreme_card(state, losing, false)
                            : find_extreme_card(state, winning, !is_last);
    }
    return losing == 0 ? find_extreme_card(state, winning, is_last)
                       : find_extreme_card(state, losing, true);
}

/* Returns what strong bots bid with such a hand on average, in hundredths of a trick. The numbers
 * are a linear fit to 31,000 bids of games with 3 to 7 players. They bid 0.88 of each player's
 * share of the tricks; a card of the lowest value costs 0.32, and the other cards are worth more.
 */
static int rate_hand(const struct oh_hell *state, uint8_t seat)
{
    static const uint8_t plain[RANKS] = {0, 0, 0, 0, 0, 0, 6, 7, 13, 17, 26, 44, 67};
    static const uint8_t trump[RANKS] = {48, 52, 61, 62, 66, 74, 80, 87, 99, 108, 118, 136, 159};
    const struct table_state *table = &state->table;
    int worth = 5 - 32 * table->slot_count + 88 * table->slot_count / table->seats;
    for (uint8_t slot = 0; slot < table->slot_count; slot++) {
        uint8_t card = table->slots[seat][slot];
        worth += card / RANKS == state->trump ? trump[card % RANKS] : plain[card % RANKS];
    }
    return worth;
}

/* A bid's distance from what the hand is worth follows a Cauchy distribution: a bid that is off by
 * the usual distance, which grows with the hand, is half as likely. Bids that are far off stay
 * possible, because not everybody bids like a strong bot. */
float oh_hell_likelihood(const void *state_bytes, uint8_t viewer)
{
    const struct oh_hell *state = state_bytes;
    float usual = 20 + 5 * (float)state->table.slot_count; /* hundredths of a trick */
    float likelihood = 1;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        if (seat != viewer && state->table.bids[seat] != BID_NONE) {
            int distance = 100 * state->table.bids[seat] - rate_hand(state, seat);
            float off = (float)distance / usual;
            likelihood /= 1 + off * off;
        }
    }
    return likelihood;
}

/* Returns the legal bid that is nearest to what the hand is worth, give or take a little. */
static uint8_t choose_bid(const struct oh_hell *state, uint8_t seat, uint64_t bids,
                          struct quick_random *random)
{
    int worth = rate_hand(state, seat) + 20 + (int)quick_random_draw_below(random, 60);
    unsigned bid = worth < 0 ? 0 : (unsigned)worth / 100;
    bid = bid > state->table.slot_count ? state->table.slot_count : bid;
    while ((bids >> bid & 1) == 0) {
        bid = bid > 0 ? bid - 1 : bid + 1;
    }
    return (uint8_t)(OH_HELL_BID_FIRST + bid);
}

uint8_t oh_hell_light_move(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                           struct quick_random *random)
{
    const struct oh_hell *state = state_bytes;
    if (quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return playout_pick_random_move(legal, random);
    }
    return state->table.phase == OH_HELL_BID
               ? choose_bid(state, seat, legal->bits[OH_HELL_BID_FIRST / 64], random)
               : choose_card(state, seat, legal->bits[0] & CARD_BITS);
}
