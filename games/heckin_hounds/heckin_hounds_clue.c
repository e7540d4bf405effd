#include "games/heckin_hounds/heckin_hounds.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))

/* The slots that a clue names: all slots with this suit or value, or the one slot. */
static uint8_t slots_of_clue(const struct hounds *state, uint8_t seat, uint8_t clue_subject)
{
    if (clue_subject >= HOUNDS_SUBJECT_SLOT) {
        return (uint8_t)(1U << (clue_subject - HOUNDS_SUBJECT_SLOT));
    }
    uint8_t slots = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        bool is_named = hounds_clue_subject_for_suit(card) == clue_subject ||
                        hounds_clue_subject_for_value(card) == clue_subject;
        slots = (uint8_t)(slots | is_named << i);
    }
    return slots;
}

/* The things that legal clues can name, one bit each. A suit or value must be in the hand at least
 * twice and must not have been told for all of these cards. A slot must not have been told
 * completely. */
static void find_legal_clues_for_seat(struct hounds *state, uint8_t seat)
{
    uint64_t once = 0;
    uint64_t twice = 0;
    uint64_t untold = 0;
    uint64_t told_suit = state->told_suit[seat];
    uint64_t told_value = state->told_value[seat];
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        uint64_t suit = BIT(card / HOUNDS_VALUES);
        uint64_t value = BIT(HOUNDS_SUBJECT_VALUE + card % HOUNDS_VALUES);
        twice |= once & (suit | value);
        once |= suit | value;
        untold |= suit * (~told_suit >> i & 1) | value * (~told_value >> i & 1);
    }
    uint64_t whole = told_suit & told_value;
    uint64_t legal = (twice & untold) | (~whole & (BIT(HOUNDS_SLOTS) - 1)) << HOUNDS_SUBJECT_SLOT;
    legal = state->clues_left[seat] > 0 ? legal : 0;

    unsigned at = seat * (unsigned)HOUNDS_SUBJECTS;
    uint64_t mask = BIT(HOUNDS_SUBJECTS) - 1;
    uint64_t *words = state->clue_moves;
    if (at < 64) {
        words[0] = (words[0] & ~(mask << at)) | legal << at;
    }
    if (at >= 64) {
        words[1] = (words[1] & ~(mask << (at - 64))) | legal << (at - 64);
    } else if (at + HOUNDS_SUBJECTS > 64) {
        words[1] = (words[1] & ~(mask >> (64 - at))) | legal >> (64 - at);
    }
}

void hounds_give_clue(struct hounds *state, uint8_t to, uint8_t clue_subject)
{
    uint8_t slots = slots_of_clue(state, to, clue_subject);
    bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
    bool is_slot = clue_subject >= HOUNDS_SUBJECT_SLOT;
    state->told_suit[to] = (uint8_t)(state->told_suit[to] | (is_suit || is_slot ? slots : 0));
    state->told_value[to] = (uint8_t)(state->told_value[to] | (is_suit ? 0 : slots));
    state->clues[state->clue_count++] = (struct hounds_clue){
        .to = to,
        .clue_subject = clue_subject,
        .slots = slots,
        .card = is_slot ? state->table.slots[to][clue_subject - HOUNDS_SUBJECT_SLOT] : CARD_NONE,
    };
    state->clues_left[to]--;
    find_legal_clues_for_seat(state, to);
}

bool hounds_clues_tell_dealt_card(const struct hounds *state, uint8_t seat, uint8_t slot)
{
    bool is_suit_told = false;
    bool is_value_told = false;
    for (uint8_t i = 0; i < state->clue_count; i++) {
        const struct hounds_clue *clue = &state->clues[i];
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        bool is_suit = clue->clue_subject < HOUNDS_SUBJECT_VALUE;
        bool is_named = clue->to == seat && (clue->slots >> slot & 1) != 0;
        is_suit_told |= is_named && (is_suit || is_slot);
        is_value_told |= is_named && !is_suit;
    }
    return is_suit_told && is_value_told;
}

void hounds_find_legal_clues(struct hounds *state)
{
    state->clue_moves[0] = 0;
    state->clue_moves[1] = 0;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        find_legal_clues_for_seat(state, seat);
    }
}

void hounds_write_clue_subject(uint8_t clue_subject, struct text *out)
{
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        text_put(out, "suit:");
        text_put(out, hounds_deck.suits[clue_subject].id);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        text_put(out, "value:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        text_put(out, "slot:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_SLOT);
    }
}

static bool hounds_text_equals(const char *a, const char *b)
{
    size_t size = strlen(b) + 1;
    return strlen(a) + 1 == size && memcmp(a, b, size) == 0;
}

/* The digit that follows the prefix and ends the text, as a number from 0. UINT8_MAX when the text
 * has another form. */
static uint8_t read_digit(const char *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strlen(text) != len + 1 || memcmp(text, prefix, len) != 0 || text[len] < '0') {
        return UINT8_MAX;
    }
    return (uint8_t)(text[len] - '0');
}

uint8_t hounds_parse_clue_subject(const char *text)
{
    uint8_t value = read_digit(text, "value:");
    uint8_t slot = read_digit(text, "slot:");
    if (value >= 1 && value <= HOUNDS_VALUES) {
        return (uint8_t)(HOUNDS_SUBJECT_VALUE + value - 1);
    }
    if (slot < HOUNDS_SLOTS) {
        return (uint8_t)(HOUNDS_SUBJECT_SLOT + slot);
    }
    if (strlen(text) < 5 || memcmp(text, "suit:", 5) != 0) {
        return HOUNDS_SUBJECTS;
    }
    uint8_t suit = 0;
    while (suit < HOUNDS_DEALT_SUITS && !hounds_text_equals(text + 5, hounds_deck.suits[suit].id)) {
        suit++;
    }
    return suit < HOUNDS_DEALT_SUITS ? suit : HOUNDS_SUBJECTS;
}
