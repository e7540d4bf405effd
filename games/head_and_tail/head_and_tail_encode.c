#include "games/bots/encode.h"
#include "games/head_and_tail/head_and_tail.h"

#define HEAD_AND_TAIL_SEATS 6
#define SUM_STEPS 24
#define HIGHS_A_STEP 4
#define LOWS_A_STEP 2

static const struct encode_moves moves[] = {
    {.first = 0, .count = HEAD_AND_TAIL_BETS + HEAD_AND_TAIL_SEATS, .kind = ENCODE_CARD},
};

static void sort(const void *state_bytes, struct encoding *out)
{
    const struct head_and_tail *state = state_bytes;
    out->cards = (struct card_set){{head_and_tail_cards(state->table.seats), 0}};
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct head_and_tail *state = state_bytes;
    uint8_t seats = state->table.seats;
    struct head_and_tail_tally tally;
    head_and_tail_tally_from_state(state, &tally);
    for (uint8_t distance = 0; distance < HEAD_AND_TAIL_SEATS; distance++) {
        uint8_t taken[SEATS_MAX] = {0}; /* 1: the seat has taken the bet of this one */
        for (uint8_t seat = 0; distance < seats && seat < seats; seat++) {
            taken[seat] = tally.bets[seat] >> out->seats[distance] & 1;
        }
        encode_add_by_seat(out, taken, 1);
    }
    for (uint8_t seat = 0; seat < seats; seat++) { /* the sums break ties */
        tally.highs[seat] = tally.highs[seat] / HIGHS_A_STEP;
        tally.lows[seat] = tally.lows[seat] / LOWS_A_STEP;
    }
    encode_add_by_seat(out, tally.highs, SUM_STEPS);
    encode_add_by_seat(out, tally.lows, SUM_STEPS);
    encode_add(out, state->limit / 6, 4);
    encode_add_seat(out, state->dealer);
}

const struct encode_traits head_and_tail_encode = {
    .groups = ENCODE_FOLLOWS,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .sort = sort,
    .add = add,
};
