#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/suppose/suppose.h"

/*
 * The light policy: whoever has a slot that may well win the trick plays the likeliest one.
 * Searching bots play imagined deals to their end by it. It knows the cards that the holder of the
 * hand sees and those that have been played; for any other slot, it guesses from the nearest known
 * cards to the left and to the right, because colours lie together and in order.
 */

#define CERTAIN 100 /* chances are in percent */
#define WORTH_TRYING 30
#define CHANCE_OF_THIRD_COLOUR 20 /* that a slot between two colours has neither of them */
#define RANDOM_MOVES 10           /* one move in this many is made at random */

#define NO_SLOT (-1)

/* What the trick needs: a card of this colour with a higher value. */
struct target {
    uint8_t colour;
    uint8_t value;
};

/* Returns the card in a slot that its holder knows; CARD_NONE for any other slot. */
static uint8_t read_known_card(const struct suppose *state, uint8_t seat, int slot)
{
    if (slot < 0 || slot >= SUPPOSE_SLOTS ||
        ((state->held[seat] >> slot & 1) != 0 && !suppose_holder_sees_slot((uint8_t)slot))) {
        return CARD_NONE;
    }
    return card_number_without_copy(&suppose_deck, state->table.slots[seat][slot]);
}

/* Returns the chance, in percent, that a value which is equally likely to be any from `lowest` to
 * `highest` is greater than `value`. */
static int chance_of_higher_value(int lowest, int highest, int value)
{
    int winning = highest - (value >= lowest ? value : lowest - 1);
    return winning <= 0 ? 0 : CERTAIN * winning / (highest - lowest + 1);
}

/* Returns the chance, in percent, that the slot's card is of that colour and higher, given the
 * nearest known cards on both sides. `left` and `right` are how many slots away they are. */
static int chance_between(uint8_t left_card, int left, uint8_t right_card, int right,
                          struct target target)
{
    bool is_left = left_card / SUPPOSE_VALUES == target.colour;
    bool is_right = right_card / SUPPOSE_VALUES == target.colour;
    int left_value = left_card % SUPPOSE_VALUES;
    int right_value = right_card % SUPPOSE_VALUES;
    int lowest = is_left ? left_value : 0;
    int highest = is_right ? right_value : SUPPOSE_VALUES - 1;
    int chance = chance_of_higher_value(lowest, highest, target.value);
    if (is_left && is_right) {
        return chance;
    }
    if (left_card / SUPPOSE_VALUES == right_card / SUPPOSE_VALUES) {
        return 0;
    }
    if (is_left || is_right) {
        int near = is_left ? right : left; /* the other colour is that far away */
        return chance * (CERTAIN - CHANCE_OF_THIRD_COLOUR) / CERTAIN * near / (left + right);
    }
    return chance * CHANCE_OF_THIRD_COLOUR / CERTAIN;
}

static int chance_of_slot(const struct suppose *state, uint8_t seat, int slot, struct target target)
{
    uint8_t card = read_known_card(state, seat, slot);
    if (card != CARD_NONE) {
        bool wins = card / SUPPOSE_VALUES == target.colour && card % SUPPOSE_VALUES > target.value;
        return wins ? CERTAIN : 0;
    }
    int left = 1;
    int right = 1;
    while (read_known_card(state, seat, slot - left) == CARD_NONE) {
        left++;
    }
    while (read_known_card(state, seat, slot + right) == CARD_NONE) {
        right++;
    }
    return chance_between(read_known_card(state, seat, slot - left), left,
                          read_known_card(state, seat, slot + right), right, target);
}

/* Returns the slot that is likeliest to win the trick; NO_SLOT if none is worth trying. */
static int find_likeliest_slot(const struct suppose *state, uint8_t seat,
                               struct quick_random *random)
{
    uint8_t best = card_number_without_copy(&suppose_deck, state->table.best_card);
    struct target target = {best / SUPPOSE_VALUES, best % SUPPOSE_VALUES};
    int likeliest = NO_SLOT;
    uint32_t highest = 0;
    for (int slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        int chance =
            (state->held[seat] >> slot & 1) != 0 ? chance_of_slot(state, seat, slot, target) : 0;
        /* of equally likely slots, a random one */
        uint32_t rating = ((uint32_t)chance << 8) + (uint32_t)(quick_random_next(random) >> 56);
        if (chance >= WORTH_TRYING && rating > highest) {
            highest = rating;
            likeliest = slot;
        }
    }
    return likeliest;
}

uint8_t suppose_light_move(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                           struct quick_random *random)
{
    const struct suppose *state = state_bytes;
    bool follows = state->table.phase == SUPPOSE_PLAY && state->table.trick_count > 0 &&
                   quick_random_draw_below(random, RANDOM_MOVES) > 0;
    int slot = follows ? find_likeliest_slot(state, seat, random) : NO_SLOT;
    return slot == NO_SLOT ? playout_pick_random_move(legal, random) : (uint8_t)slot;
}
