#include "games/bots/bots.h"
#include "games/card.h"
#include "games/hund/hund.h"

#include <string.h>

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
#define GAIN_MOST 6 /* half points; greater gains count like this one */
#define GAINS (2 * GAIN_MOST + 1)
#define LATER 4
#define REST 4 /* numbers of other own cards of the suit */
#define FEATURES                                                                                   \
    (HUND_ROLES * REST + (HUND_ROLES + 1) * POSITIONS * HEIGHTS + GAINS * LATER + GAINS * 2)
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

/* The seat's points above the mean of the other players', times two. */
static int find_lead(const struct hund *state, const struct hund_board *board, uint8_t seat,
                     uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX])
{
    struct hund_result result FILLED_LATER;
    uint8_t players = state->table.players;
    int sum = 0;
    hund_fill_points(board, state->table.seats, counts, &result);
    for (uint8_t other = 0; other < players; other++) {
        sum += result.points[other];
    }
    return players < 2 ? 0 : 2 * (result.points[seat] * players - sum) / (players - 1);
}

/* What the seat gains on the others, in half points from -GAIN_MOST, if it plays the card and
 * nobody plays another one in the trick. */
static unsigned find_gain(const struct encoding *encoding, uint8_t card, bool wins)
{
    const struct hund *state = (const void *)encoding->table;
    struct hund_board board = state->board;
    uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX] FILLED_LATER;
    uint8_t *of_taker = counts[wins ? encoding->me : state->table.best_seat];
    memcpy(counts, encoding->won, sizeof(counts));
    int gain = -find_lead(state, &board, encoding->me, counts);
    of_taker[hund_suit(card)]++;
    for (uint8_t i = 1; i <= state->table.trick_count; i++) {
        of_taker[hund_suit(state->table.plays[state->table.play_count - i])]++;
    }
    (void)hund_board_give_roles(&board, card);
    gain += find_lead(state, &board, encoding->me, counts);
    return (unsigned)(gain < -GAIN_MOST ? 0 : gain > GAIN_MOST ? GAINS - 1 : gain + GAIN_MOST);
}

/* The features of a card: the role that it gives and how many cards of the suit the seat still
 * holds, the role of its suit, and what it gains. */
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
    unsigned gain = find_gain(encoding, number, wins);
    unsigned later = is_lead ? LATER - 1 : bits_count(encoding->later);
    unsigned rest = bits_count(hund_values_of_suit(encoding->own, suit)) - 1U;
    unsigned height = (unsigned)(number % HUND_VALUES) * HEIGHTS / state->values;
    later = later < LATER - 1 || is_lead ? later : LATER - 2;
    rest = rest < REST ? rest : REST - 1;
    encode_add_card_features(encoding, number, out);
    encode_add_output(out, gives ? state->board.count * REST + rest : UINT16_MAX,
                      HUND_ROLES * REST);
    encode_add_output(out, (role * POSITIONS + position) * HEIGHTS + height,
                      (HUND_ROLES + 1) * POSITIONS * HEIGHTS);
    encode_add_output(out, gain * LATER + later, GAINS * LATER);
    encode_add_output(out, gain * 2 + wins, GAINS * 2);
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
    {.kind = ENCODE_CARD,
     .feature_count = ENCODE_CARD_FEATURES + FEATURES,
     .add_features = add_features},
    {.kind = ENCODE_CARD, .feature_count = SELECT_FEATURES, .add_features = add_select_features},
    {.kind = ENCODE_SEAT, .stride = 1},
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
    .sort = sort,
    .add = add,
};
