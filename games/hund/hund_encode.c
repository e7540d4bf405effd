#include "games/bots/encode.h"
#include "games/hund/hund.h"

static const struct encode_moves moves[] = {
    {.first = 0, .count = HUND_SUITS * HUND_VALUES, .kind = ENCODE_CARD},
    {.first = HUND_SELECT_FIRST, .count = HUND_SUITS * HUND_VALUES, .kind = ENCODE_CARD},
    {.first = HUND_START_FIRST, .count = 5, .kind = ENCODE_SEAT, .stride = 1},
};

static void sort(const void *state_bytes, struct encoding *out)
{
    const struct hund *state = state_bytes;
    out->cards = (struct card_set){{0, 0}};
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        struct card_set cards = hund_cards_of_suit(suit, (UINT32_C(1) << state->values) - 1);
        out->cards.bits[0] |= cards.bits[0];
        out->cards.bits[1] |= cards.bits[1];
        out->roles[suit] = HUND_ROLES;
    }
    for (uint8_t role = 0; role < state->board.count; role++) {
        out->roles[state->board.roles[role]] = role;
    }
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct hund *state = state_bytes;
    uint8_t keys[FACE_SUITS_MAX] = {0};
    uint8_t virtual_seat = hund_virtual_seat(state);
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        keys[suit] = state->board.keys[suit] == CARD_NONE
                         ? 0
                         : (uint8_t)(state->board.keys[suit] % HUND_VALUES + 1);
    }
    encode_add_by_suit(out, keys, HUND_VALUES);
    encode_add_number(out, state->board.count, 0, HUND_ROLES);
    encode_add_cards(out, out->visible[virtual_seat == HUND_SEAT_NONE ? SEATS_MAX : virtual_seat]);
    encode_add_seat(out, virtual_seat);
    encode_add_seat(out, state->first);
    encode_add_seat(out, state->dealer);
    encode_add(out, state->values, HUND_VALUES + 1);
    encode_add(out, state->has_select ? state->set_count : HUND_SUITS + 1, HUND_SUITS + 2);
}

const struct encode_traits hund_encode = {
    .groups = ENCODE_FOLLOWS | ENCODE_WON,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .sort = sort,
    .add = add,
};
