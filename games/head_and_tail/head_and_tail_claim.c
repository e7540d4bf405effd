#include "games/head_and_tail/head_and_tail.h"

#include "games/claim.h"

#include <string.h>

/*
 * Whoever takes all remaining tricks takes a known number of tricks and all betting cards that are
 * left. Only the ranks within the tricks depend on what the others play, and ranks count only when
 * players are tied for head or tail.
 */

/* How often each rank occurs among the cards of the tricks that are not finished. */
struct ranks_left {
    uint8_t counts[HEAD_AND_TAIL_RANKS + 2]; /* by rank, from 1 */
    uint8_t tricks;                          /* number of these tricks */
    uint8_t seats;
};

/* The bounds for the sum of the highest (or lowest) ranks of the tricks that are not finished. */
struct rank_sums {
    uint8_t least;
    uint8_t most;
};

/* Goes through the ranks in this order, from `first`, and adds up every rank whose place in it is a
 * multiple of `step`, once for each trick. */
static uint8_t add_ranks(const struct ranks_left *left, int first, int direction, uint8_t step)
{
    unsigned place = 0;
    unsigned added = 0;
    unsigned sum = 0;
    for (int rank = first; rank >= 1 && rank <= HEAD_AND_TAIL_RANKS + 1; rank += direction) {
        for (uint8_t i = 0; i < left->counts[rank] && added < left->tricks; i++, place++) {
            sum += place % step == 0 ? (unsigned)rank : 0;
            added += place % step == 0;
        }
    }
    return (uint8_t)sum;
}

/* The sum of the highest ranks is largest when each of the highest cards is in a trick of its own,
 * and smallest when the highest cards share tricks. */
static struct rank_sums bound_highs(const struct ranks_left *left)
{
    int top = HEAD_AND_TAIL_RANKS + 1;
    return (struct rank_sums){add_ranks(left, top, -1, left->seats), add_ranks(left, top, -1, 1)};
}

static struct rank_sums bound_lows(const struct ranks_left *left)
{
    return (struct rank_sums){add_ranks(left, 1, 1, 1), add_ranks(left, 1, 1, left->seats)};
}

static void count_ranks_left(const struct game_view *view, struct card_set cards,
                             struct ranks_left *left)
{
    memset(left, 0, sizeof(*left));
    left->seats = view->seats;
    left->tricks = (uint8_t)(view->slot_count[0] - view->past_count);
    for (uint8_t i = 0; i < view->past_count; i++) {
        for (uint8_t j = 0; j < view->past[i].count; j++) {
            cards.bits[0] &= ~(UINT64_C(1) << view->past[i].plays[j].card);
        }
    }
    for (uint8_t card = 0; card < card_count(&head_and_tail_deck); card++) {
        if ((cards.bits[0] >> card & 1) != 0) {
            left->counts[head_and_tail_highest_rank(&card, 1)]++;
        }
    }
}

/* Whether heads and tails stay the same whatever the ranks in the remaining tricks are. Heads
 * depend only on highest ranks, tails only on lowest ranks. */
static bool head_and_tail_are_fixed(const struct game_view *view, struct card_set cards)
{
    struct ranks_left left;
    struct head_and_tail_tally tally;
    count_ranks_left(view, cards, &left);
    head_and_tail_tally_from_view(view, &tally);
    uint8_t *high = &tally.highs[view->seat];
    uint8_t *low = &tally.lows[view->seat];
    uint8_t high_now = *high;
    uint8_t low_now = *low;
    struct rank_sums highs = bound_highs(&left);
    struct rank_sums lows = bound_lows(&left);
    tally.tricks[view->seat] = (uint8_t)(tally.tricks[view->seat] + left.tricks);
    *high = (uint8_t)(high_now + highs.least);
    *low = (uint8_t)(low_now + lows.least);
    uint8_t heads = head_and_tail_head_seats(&tally, view->seats);
    uint8_t tails = head_and_tail_tail_seats(&tally, view->seats);
    bool is_fixed = true;
    for (uint8_t sum = highs.least; sum <= highs.most; sum++) {
        *high = (uint8_t)(high_now + sum);
        is_fixed = is_fixed && head_and_tail_head_seats(&tally, view->seats) == heads;
    }
    for (uint8_t sum = lows.least; sum <= lows.most; sum++) {
        *low = (uint8_t)(low_now + sum);
        is_fixed = is_fixed && head_and_tail_tail_seats(&tally, view->seats) == tails;
    }
    return is_fixed;
}

const char *head_and_tail_claim(const struct game_view *view,
                                UNUSED const struct game_config *config, struct claim_facts *facts)
{
    facts->cards.bits[0] = head_and_tail_cards(view->seats);
    if (!head_and_tail_are_fixed(view, facts->cards)) {
        return N_("The points are not decided yet: who becomes head or tail depends on the ranks "
                  "that the others play. Play on, and claim later.");
    }
    return NULL;
}
