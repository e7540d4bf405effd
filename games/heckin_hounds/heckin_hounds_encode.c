#include "games/bots/encode.h"
#include "games/heckin_hounds/heckin_hounds.h"

#define BADNESS_TOLD 10

static const struct encode_moves moves[] = {
    {.first = 0, .count = HOUNDS_MOVE_CERBERUS, .kind = ENCODE_PLAIN},
    {.first = HOUNDS_MOVE_CERBERUS, .count = SEATS_MAX, .kind = ENCODE_SEAT, .stride = 1},
    {.first = HOUNDS_MOVE_BAD, .count = HOUNDS_SUITS, .kind = ENCODE_PLAIN},
    {.first = HOUNDS_MOVE_CLUE,
     .count = SEATS_MAX * HOUNDS_SUBJECTS,
     .kind = ENCODE_SEAT,
     .stride = HOUNDS_SUBJECTS},
};

static void sort(UNUSED const void *state_bytes, struct encoding *out)
{
    for (uint8_t suit = 0; suit < HOUNDS_SUITS; suit++) {
        out->roles[suit] = suit; /* the suits differ in strength */
    }
}

/* What the seat knows of the slots of its own hand. */
static void add_slots(const struct hounds *state, struct encoding *out)
{
    uint8_t me = out->me;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        uint8_t card = state->table.slots[me][slot];
        bool is_held = (state->held[me] >> slot & 1) != 0;
        bool is_seen = is_held && (state->table.sight[me][slot] >> me & 1) != 0;
        bool is_suit_told = is_held && (state->told_suit[me] >> slot & 1) != 0;
        bool is_value_told = is_held && (state->told_value[me] >> slot & 1) != 0;
        encode_add(out, is_held ? 0 : UINT16_MAX, 1);
        encode_add(out, is_seen ? card : UINT16_MAX, HOUNDS_CARDS);
        encode_add(out, is_suit_told ? card / HOUNDS_VALUES : UINT16_MAX, HOUNDS_SUITS);
        encode_add(out, is_value_told ? card % HOUNDS_VALUES : UINT16_MAX, HOUNDS_VALUES);
        encode_add(out, (state->traded[me] >> slot & 1) != 0 ? 0 : UINT16_MAX, 1);
    }
}

/* The cards of another seat's hand, among those that the seat sees, that are in some slots. */
static struct card_set find_cards_in(const struct hounds *state, const struct encoding *out,
                                     uint8_t owner, uint8_t slots)
{
    struct card_set cards = {{0}};
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        bool is_in = (state->held[owner] & slots & 1U << slot) != 0;
        cards.bits[0] |= (uint64_t)is_in << state->table.slots[owner][slot];
    }
    cards.bits[0] &= out->visible[owner].bits[0];
    return cards;
}

/* The cards of the others whose suit or value clues have told. */
static void add_told_cards(const struct hounds *state, struct encoding *out)
{
    for (uint8_t distance = 1; distance < SEATS_MAX; distance++) {
        bool is_taken = distance < state->table.seats;
        uint8_t owner = is_taken ? out->seats[distance] : 0;
        uint8_t suits = is_taken ? state->told_suit[owner] : 0;
        uint8_t values = is_taken ? state->told_value[owner] : 0;
        encode_add_cards(out, find_cards_in(state, out, owner, suits));
        encode_add_cards(out, find_cards_in(state, out, owner, values));
    }
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct hounds *state = state_bytes;
    uint8_t trades[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        trades[seat] = state->trades[seat] == HOUNDS_TRADE_OPEN   ? 0
                       : state->trades[seat] == HOUNDS_TRADE_PASS ? 1
                                                                  : 2;
    }
    add_slots(state, out);
    add_told_cards(state, out);
    encode_add(out, state->bad_dog, HOUNDS_SUITS);
    encode_add_seat(out, state->leader);
    encode_add_seat(out, state->cerberus_seat);
    encode_add_by_seat(out, state->clues_left, HOUNDS_CLUES_EACH);
    encode_add_by_seat(out, trades, 2);
    encode_add_by_seat(out, state->badness, BADNESS_TOLD);
    encode_add_number(out, state->table.trick_count == 0 ? 0 : state->trick_bad, 0, 3);
}

const struct encode_traits heckin_hounds_encode = {
    .groups = ENCODE_BIDS | ENCODE_OTHERS,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .sort = sort,
    .add = add,
};
