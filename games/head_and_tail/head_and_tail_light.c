#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/head_and_tail/head_and_tail.h"

/*
 * The light policy: a player without a trick wants one, and a player with two, or with most of all,
 * wants no more. Searching bots play imagined deals to their end by it. With three or four players,
 * every hand takes several tricks and the policy plays at random, which won more games.
 */

#define SEATS_LEAST 5 /* fewest players for whom the policy has a plan */
#define TRICKS_ENOUGH 2
#define RANDOM_MOVES 10 /* one move in this many is made at random */

#define BETTING_CARDS (~UINT64_C(0) << HEAD_AND_TAIL_BETS)

static uint64_t cards_of_suit(uint8_t suit)
{
    return ((UINT64_C(1) << HEAD_AND_TAIL_RANKS) - 1) << (HEAD_AND_TAIL_RANKS * suit);
}

/* The cards of the set that would win the trick as it lies now; all of them when leading. */
static uint64_t find_winning_cards(const struct table_state *table, uint64_t cards)
{
    if (table->trick_count == 0) {
        return cards;
    }
    uint8_t best = table->best_card;
    uint64_t suit =
        head_and_tail_is_betting_card(best) ? 0 : cards_of_suit(best / HEAD_AND_TAIL_RANKS);
    return cards & suit & ~((UINT64_C(2) << best) - 1);
}

/* Returns the card of the set, which is not empty, with the highest or the lowest rank; a betting
 * card only if there is no other. */
static uint8_t find_extreme_card(uint64_t cards, bool is_highest)
{
    uint64_t plain = cards & ~BETTING_CARDS;
    cards = plain != 0 ? plain : cards;
    uint8_t found = bits_index_of_lowest(cards);
    for (uint64_t rest = cards & (cards - 1); rest != 0; rest &= rest - 1) {
        uint8_t card = bits_index_of_lowest(rest);
        bool is_higher = card % HEAD_AND_TAIL_RANKS > found % HEAD_AND_TAIL_RANKS;
        found = is_higher == is_highest ? card : found;
    }
    return found;
}

static uint8_t play_to_win(const struct table_state *table, uint64_t cards)
{
    uint64_t winning = find_winning_cards(table, cards);
    return find_extreme_card(winning != 0 ? winning : cards, winning != 0);
}

static uint8_t play_to_lose(const struct table_state *table, uint64_t cards)
{
    uint64_t losing = cards & ~find_winning_cards(table, cards);
    return find_extreme_card(losing != 0 ? losing : cards, losing != 0);
}

static uint8_t most_tricks_of_others(const struct table_state *table, uint8_t seat)
{
    uint8_t most = 0;
    for (uint8_t other = 0; other < table->seats; other++) {
        most = other != seat && table->tricks[other] > most ? table->tricks[other] : most;
    }
    return most;
}

uint8_t head_and_tail_light_move(const void *state_bytes, uint8_t seat,
                                 const struct move_set *legal, struct quick_random *random)
{
    const struct table_state *table = state_bytes; /* every game's state begins with it */
    uint64_t cards = legal->bits[0];
    uint8_t own = table->tricks[seat];
    if (table->seats < SEATS_LEAST || quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return playout_pick_random_move(legal, random);
    }
    if (own == 0) {
        return play_to_win(table, cards);
    }
    bool has_enough = own >= TRICKS_ENOUGH || own >= most_tricks_of_others(table, seat);
    return has_enough ? play_to_lose(table, cards) : playout_pick_random_move(legal, random);
}
