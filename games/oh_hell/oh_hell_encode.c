#include "games/bots/encode.h"
#include "games/oh_hell/oh_hell.h"

static const struct encode_moves moves[] = {
    {.first = 0, .count = 52, .kind = ENCODE_CARD},
    {.first = OH_HELL_BID_FIRST, .count = OH_HELL_TOP_MAX + 1, .kind = ENCODE_PLAIN},
};

static void sort(const void *state_bytes, struct encoding *out)
{
    const struct oh_hell *state = state_bytes;
    for (uint8_t suit = 0; suit < standard_deck.suit_count; suit++) {
        out->roles[suit] = suit != state->trump;
    }
    out->cards.bits[0] = ((UINT64_C(1) << 52) - 1) & ~(UINT64_C(1) << state->turnup);
    out->cards.bits[1] = 0;
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct oh_hell *state = state_bytes;
    encode_add(out, state->turnup % standard_deck.value_count, standard_deck.value_count);
    encode_add_number(out, state->bid_sum - state->table.slot_count, -10, 6);
    encode_add_seat(out, state->dealer);
    encode_add(out, state->scoring, OH_HELL_NEGATIVE + 1);
    encode_add(out, state->length, 5);
}

const struct encode_traits oh_hell_encode = {
    .groups = ENCODE_FOLLOWS | ENCODE_BIDS,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .sort = sort,
    .add = add,
};
