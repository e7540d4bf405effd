#include "games/bits.h"
#include "games/bots/encode.h"
#include "games/suppose/suppose.h"

#define TRICKS (SUPPOSE_SLOTS + 1)

static const struct encode_moves moves[] = {
    {.first = 0, .count = SUPPOSE_SLOTS, .kind = ENCODE_PLAIN},
    {.first = SUPPOSE_PREDICT_FIRST, .count = SUPPOSE_PREDICTIONS, .kind = ENCODE_TRICKS},
    {.first = SUPPOSE_ARRANGE_FIRST, .count = SUPPOSE_ARRANGEMENTS, .kind = ENCODE_OWN},
};

/* An order of colours is the order of their canonical places. */
static uint8_t find_output(const struct encoding *encoding, uint8_t number)
{
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = suppose_list_colours_of_order(number, colours);
    for (uint8_t i = 0; i < count; i++) {
        colours[i] = encoding->place[colours[i]];
    }
    return suppose_find_order_with_colours(colours, count);
}

/* For each slot of the own hand the nearest cards that the seat knows, because it sees them or has
 * played them, from this slot to the left and to the right: the card lies between them. */
static void add_slots(const struct suppose *state, struct encoding *out)
{
    const uint8_t *cards = state->table.slots[out->me];
    bool is_passed = state->table.phase != SUPPOSE_PREPARE;
    uint32_t known = ~(uint32_t)state->held[out->me];
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        known |= (uint32_t)suppose_holder_sees_slot(slot) << slot;
    }
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t left = (uint8_t)(31 - __builtin_clz(known & ((2U << slot) - 1)));
        uint8_t right = bits_index_of_lowest(known >> slot << slot);
        encode_add(out, (state->held[out->me] >> slot & 1) != 0 ? 0 : UINT16_MAX, 1);
        encode_add_card(out, is_passed ? cards[left] : CARD_NONE);
        encode_add_card(out, is_passed ? cards[right] : CARD_NONE);
    }
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct suppose *state = state_bytes;
    const struct table_state *table = &state->table;
    uint8_t tricks[2];
    uint8_t count = state->predicted[out->me] == SUPPOSE_NONE
                        ? 0
                        : suppose_list_predicted_numbers(state->predicted[out->me], tricks);
    uint8_t taken = table->tricks[table->next[out->me]];
    for (uint8_t i = 0; i < 2; i++) {
        encode_add(out, i < count ? tricks[i] : UINT16_MAX, TRICKS);
        encode_add(out, i < count ? (unsigned)(tricks[i] - taken + TRICKS) : UINT16_MAX,
                   2 * TRICKS);
    }
    encode_add(out, count == 0 ? UINT16_MAX : count - 1U, 2);
    uint8_t places[FACE_SUITS_MAX] = {0};
    if (state->arranged[out->me] != SUPPOSE_NONE) {
        uint8_t colours[SUPPOSE_COLOURS];
        uint8_t colour_count = suppose_list_colours_of_order(state->arranged[out->me], colours);
        for (uint8_t i = 0; i < colour_count; i++) {
            places[colours[i]] = (uint8_t)(i + 1);
        }
    }
    encode_add_by_suit(out, places, SUPPOSE_COLOURS);
    encode_add_seat(out, state->start);
    add_slots(state, out);
}

const struct encode_traits suppose_encode = {
    .groups = ENCODE_OTHERS,
    .moves = moves,
    .range_count = ARRAY_LEN(moves),
    .add = add,
    .find_output = find_output,
    .points = {SUPPOSE_BONUS_ONE, SUPPOSE_BONUS_TWO},
};
