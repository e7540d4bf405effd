#include "games/head_and_tail/head_and_tail.h"

#include <limits.h>
#include <string.h>

/* A card's rank: 2 to 13; 1 for a betting card. */
static uint8_t get_rank(uint8_t card)
{
    return head_and_tail_is_betting_card(card) ? 1 : (uint8_t)(card % HEAD_AND_TAIL_RANKS + 2);
}

uint8_t head_and_tail_highest_rank(const uint8_t *cards, uint8_t count)
{
    uint8_t high = 0;
    for (uint8_t i = 0; i < count; i++) {
        uint8_t rank = get_rank(cards[i]);
        high = rank > high ? rank : high;
    }
    return high;
}

uint8_t head_and_tail_lowest_rank(const uint8_t *cards, uint8_t count)
{
    uint8_t low = UINT8_MAX;
    for (uint8_t i = 0; i < count; i++) {
        uint8_t rank = get_rank(cards[i]);
        low = rank < low ? rank : low;
    }
    return low;
}

void head_and_tail_tally_add_trick(struct head_and_tail_tally *tally, uint8_t winner,
                                   const uint8_t *cards, uint8_t count)
{
    tally->tricks[winner]++;
    tally->highs[winner] =
        (uint8_t)(tally->highs[winner] + head_and_tail_highest_rank(cards, count));
    tally->lows[winner] = (uint8_t)(tally->lows[winner] + head_and_tail_lowest_rank(cards, count));
    for (uint8_t i = 0; i < count; i++) {
        if (head_and_tail_is_betting_card(cards[i])) {
            unsigned owner = 1U << (cards[i] - HEAD_AND_TAIL_BETS);
            tally->bets[winner] = (uint8_t)(tally->bets[winner] | owner);
        }
    }
}

void head_and_tail_tally_from_view(const struct game_view *view, struct head_and_tail_tally *tally)
{
    memset(tally, 0, sizeof(*tally));
    for (uint8_t i = 0; i < view->past_count; i++) {
        const struct view_trick *trick = &view->past[i];
        if (trick->winner >= view->seats) {
            continue; /* a view from an outside program may be invalid */
        }
        uint8_t cards[SEATS_MAX];
        for (uint8_t j = 0; j < trick->count; j++) {
            cards[j] = trick->plays[j].card;
        }
        head_and_tail_tally_add_trick(tally, trick->winner, cards, trick->count);
    }
}

/* The seats with the highest sort key: bit s for seat s. There is at least one seat. */
static uint8_t seats_with_highest_key(const int keys[SEATS_MAX], uint8_t seat_count)
{
    unsigned top = 0;
    int best = INT_MIN;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        if (keys[seat] > best) {
            best = keys[seat];
            top = 0;
        }
        top |= (unsigned)(keys[seat] == best) << seat;
    }
    return (uint8_t)top;
}

/* Tricks count more than ranks: the sums of ranks stay below 256. */
uint8_t head_and_tail_head_seats(const struct head_and_tail_tally *tally, uint8_t seat_count)
{
    int keys[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        keys[seat] = 256 * tally->tricks[seat] + tally->highs[seat];
    }
    return seats_with_highest_key(keys, seat_count);
}

uint8_t head_and_tail_tail_seats(const struct head_and_tail_tally *tally, uint8_t seat_count)
{
    int keys[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        keys[seat] = -256 * tally->tricks[seat] - tally->lows[seat];
    }
    return seats_with_highest_key(keys, seat_count);
}

/* The seats whose betting cards were taken by one of the seats in `takers`. */
static uint8_t owners_of_bets_taken_by(const struct head_and_tail_tally *tally, uint8_t takers)
{
    unsigned owners = 0;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        owners |= (takers >> seat & 1) != 0 ? tally->bets[seat] : 0U;
    }
    return (uint8_t)owners;
}

static void fill_score_part_for_seats(int16_t part[SEATS_MAX], uint8_t seats, int points)
{
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        part[seat] = (int16_t)((seats >> seat & 1) != 0 ? points : 0);
    }
}

void head_and_tail_fill_score_parts(const struct head_and_tail_tally *tally, uint8_t seat_count,
                                    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX])
{
    uint8_t heads = head_and_tail_head_seats(tally, seat_count);
    uint8_t tails = head_and_tail_tail_seats(tally, seat_count);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_HEAD], heads, -HEAD_AND_TAIL_LOSS);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_TAIL], tails, -HEAD_AND_TAIL_LOSS);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_BET_ON_HEAD],
                              owners_of_bets_taken_by(tally, heads), HEAD_AND_TAIL_HEAD_BET);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_BET_ON_TAIL],
                              owners_of_bets_taken_by(tally, tails), HEAD_AND_TAIL_TAIL_BET);
}

void head_and_tail_fill_points(const struct head_and_tail_tally *tally, uint8_t seat_count,
                               int16_t points[SEATS_MAX])
{
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
    head_and_tail_fill_score_parts(tally, seat_count, parts);
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        points[seat] =
            (int16_t)(parts[HEAD_AND_TAIL_PART_HEAD][seat] + parts[HEAD_AND_TAIL_PART_TAIL][seat] +
                      parts[HEAD_AND_TAIL_PART_BET_ON_HEAD][seat] +
                      parts[HEAD_AND_TAIL_PART_BET_ON_TAIL][seat]);
    }
}
