#include "games/bots/bots.h"
#include "games/oh_hell/oh_hell.h"

static const struct encode_moves moves[] = {
    {.kind = ENCODE_CARD,
     .feature_count = ENCODE_CARD_FEATURES,
     .add_features = encode_add_card_features},
    {.kind = ENCODE_PLAIN},
};

/* What a seat wants of the tricks to come. */
enum wish {
    WISH_LOST, /* the bid cannot be met any more */
    WISH_NONE,
    WISH_ALL,
    WISH_SOME,
    WISH_TO_BID,
};

static uint8_t find_wish(const struct table_state *table, uint8_t seat)
{
    int need = table->bids[seat] - table->tricks[seat];
    int left = table->slot_count - table->past_count;
    return table->bids[seat] == BID_NONE ? WISH_TO_BID
           : need < 0 || need > left     ? WISH_LOST
           : need == 0                   ? WISH_NONE
           : need == left                ? WISH_ALL
                                         : WISH_SOME;
}

static void sort(const void *state_bytes, struct encoding *out)
{
    const struct oh_hell *state = state_bytes;
    for (uint8_t suit = 0; suit < standard_deck.suit_count; suit++) {
        out->roles[suit] = suit != state->trump;
    }
    out->cards.bits[0] = ((UINT64_C(1) << 52) - 1) & ~(UINT64_C(1) << state->turnup);
    out->cards.bits[1] = 0;
    out->trump = state->trump;
    out->wish = find_wish(&state->table, out->me);
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
    .goal = {.points_unit = 6, .win_worth = 3},
    .groups = ENCODE_FOLLOWS | ENCODE_BIDS,
    .moves = moves,
    .sort = sort,
    .add = add,
    .reopen_bidding = oh_hell_reopen_bidding,
};
