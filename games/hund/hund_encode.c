#include "games/bits.h"
#include "games/bots/encode_features.h"
#include "games/hund/hund.h"

/* What lies in the trick. */
enum wish {
    WISH_MINUS, /* more minus cards than plus cards */
    WISH_NEITHER,
    WISH_PLUS,
    WISH_LEAD_OPEN, /* the seat leads, before trump is known */
    WISH_LEAD,
};

#define HOLDINGS 6 /* numbers of own cards that are told apart */
#define POSITIONS 3
#define HEIGHTS 4
#define FEATURES (HUND_ROLES + (HUND_ROLES + 1) * POSITIONS * HEIGHTS + HUND_ROLES + 1)
#define SELECT_FEATURES (HUND_VALUES + HUND_ROLES * HOLDINGS * 3)

static uint8_t find_role(const struct hund *state, uint8_t suit)
{
    uint8_t role = 0;
    while (role < state->board.count && state->board.roles[role] != suit) {
        role++;
    }
    return role < state->board.count ? role : HUND_ROLES;
}

static uint8_t find_wish(const struct hund *state)
{
    const struct table_state *table = &state->table;
    int plus = 0;
    for (uint8_t i = 1; i <= table->trick_count; i++) {
        uint8_t role = find_role(state, hund_suit(table->plays[table->play_count - i]));
        plus += role == HUND_PLUS ? 1 : role == HUND_MINUS ? -1 : 0;
    }
    bool is_lead = table->trick_count == 0;
    return is_lead    ? state->board.count == 0 ? WISH_LEAD_OPEN : WISH_LEAD
           : plus < 0 ? WISH_MINUS
           : plus > 0 ? WISH_PLUS
                      : WISH_NEITHER;
}

/* The features of a card, the role that it gives, and the role of its suit. */
static void add_features(const struct encoding *encoding, uint8_t number,
                         struct encode_outputs *out)
{
    const struct hund *state = (const void *)encoding->table;
    uint8_t suit = hund_suit(number);
    uint8_t role = find_role(state, suit);
    uint8_t trump = state->board.roles[HUND_TRUMP];
    bool is_lead = encoding->table->trick_count == 0;
    bool gives = state->board.keys[suit] == number && state->board.count < HUND_ROLES;
    uint8_t winner = gives && state->board.count == HUND_TRUMP ? suit : trump;
    bool wins = is_lead || hund_card_beats(number, encoding->table->best_card, winner);
    unsigned position = is_lead ? 0 : wins ? 1 : 2;
    unsigned height = (unsigned)(number % HUND_VALUES) * HEIGHTS / state->values;
    encode_add_card_features(encoding, number, out);
    encode_add_output(out, gives ? state->board.count : UINT16_MAX, HUND_ROLES);
    encode_add_output(out, (role * POSITIONS + position) * HEIGHTS + height,
                      (HUND_ROLES + 1) * POSITIONS * HEIGHTS);
    encode_add_output(out, gives ? role : UINT16_MAX, HUND_ROLES + 1);
}

/* Of a card that is selected to give a role: its value, how many cards of the suit the seat holds,
 * and whether it holds this one or higher ones. */
static void add_select_features(const struct encoding *encoding, uint8_t number,
                                struct encode_outputs *out)
{
    const struct hund *state = (const void *)encoding->table;
    uint32_t own = hund_values_of_suit(encoding->own, hund_suit(number));
    unsigned count = bits_count(own);
    uint32_t from = own >> number % HUND_VALUES;
    unsigned rest = from == 0 ? 0 : (from & 1) != 0 ? 1 : 2;
    unsigned role = state->set_count < HUND_ROLES ? state->set_count : 0;
    encode_add_output(out, number % HUND_VALUES, HUND_VALUES);
    encode_add_output(out, (role * HOLDINGS + (count < HOLDINGS ? count : HOLDINGS - 1)) * 3 + rest,
                      HUND_ROLES * HOLDINGS * 3);
}

static const struct encode_moves moves[] = {
    {.first = 0,
     .count = HUND_SUITS * HUND_VALUES,
     .kind = ENCODE_CARD,
     .feature_count = ENCODE_CARD_FEATURES + FEATURES,
     .add_features = add_features},
    {.first = HUND_SELECT_FIRST,
     .count = HUND_SUITS * HUND_VALUES,
     .kind = ENCODE_CARD,
     .feature_count = SELECT_FEATURES,
     .add_features = add_select_features},
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
    out->trump = state->board.roles[HUND_TRUMP];
    out->wish = find_wish(state);
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
    .goal = {.points_unit = 4, .win_worth = 2},
    .groups = ENCODE_FOLLOWS | ENCODE_WON,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .sort = sort,
    .add = add,
};
