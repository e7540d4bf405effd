#include "games/bots/bots.h"
#include "games/card.h"
#include "games/heckin_hounds/heckin_hounds.h"

#include <string.h>

#define BADNESS_TOLD 10

/* What is told of each slot of the own hand, as chances. */
enum level {
    LEVEL_WINS,     /* the card takes the trick as it lies */
    LEVEL_HOLDS,    /* … and no later player's card takes it, if they play any card */
    LEVEL_STRENGTH, /* it would win some later trick against all others */
    LEVEL_SEEN,     /* no chance: 0: hidden, 1: seen, 2: Cerberus */
    LEVELS,
};

#define STEPS 10
#define COARSE 4
#define LATER 4
#define KNOWN 3
#define EXPECTED_STEPS 4 /* of each expected trick */
#define NEEDS 8          /* what the total is with the tricks so far, less the bid: from -5 on */
#define PLAY_FEATURES                                                                              \
    (LATER * STEPS + STEPS + STEPS + KNOWN + NEEDS * COARSE * COARSE + COARSE * COARSE * 2)
#define SLOT_FEATURES (STEPS + KNOWN + 2)
#define FORMS 3
#define TOLD (HOUNDS_SLOTS + 1)
#define CLUE_FEATURES (FORMS * TOLD + TOLD * TOLD + SEATS_MAX * FORMS + TOLD)
#define COUNTS 9
#define BAD_FEATURES (COUNTS + TOLD)

/* What the total would be without any more tricks. */
static int find_need(const struct hounds *state, uint8_t seat)
{
    const struct table_state *table = &state->table;
    return table->scores[seat] - table->bids[seat] + table->tricks[seat];
}

static void add_play_features(const struct encoding *encoding, uint8_t number,
                              struct encode_outputs *out)
{
    const struct hounds *state = (const void *)encoding->table;
    const uint16_t *levels = encoding->levels[number];
    bool is_lead = encoding->table->trick_count == 0;
    unsigned later = is_lead ? LATER - 1 : bits_count(encoding->later);
    unsigned holds = encode_step(levels[LEVEL_HOLDS], COARSE);
    unsigned strength = encode_step(levels[LEVEL_STRENGTH], COARSE);
    int need = find_need(state, encoding->me) + HOUNDS_SLOTS;
    unsigned needs = need < 0 ? 0 : need < NEEDS ? (unsigned)need : NEEDS - 1;
    bool has_bad = !is_lead && state->trick_bad > 0;
    later = later < LATER - 1 || is_lead ? later : LATER - 2;
    encode_add_output(out, later * STEPS + encode_step(levels[LEVEL_WINS], STEPS), LATER * STEPS);
    encode_add_output(out, encode_step(levels[LEVEL_HOLDS], STEPS), STEPS);
    encode_add_output(out, encode_step(levels[LEVEL_STRENGTH], STEPS), STEPS);
    encode_add_output(out, levels[LEVEL_SEEN], KNOWN);
    encode_add_output(out, (needs * COARSE + holds) * COARSE + strength, NEEDS * COARSE * COARSE);
    encode_add_output(out, ((has_bad ? COARSE : 0U) + holds) * COARSE + strength,
                      COARSE * COARSE * 2);
}

/* Of a slot that is traded or discarded. */
static void add_slot_features(const struct encoding *encoding, uint8_t number,
                              struct encode_outputs *out)
{
    const struct hounds *state = (const void *)encoding->table;
    const uint16_t *levels = encoding->levels[number];
    bool is_told =
        ((state->told_suit[encoding->me] | state->told_value[encoding->me]) >> number & 1) != 0;
    encode_add_output(out, encode_step(levels[LEVEL_STRENGTH], STEPS), STEPS);
    encode_add_output(out, levels[LEVEL_SEEN], KNOWN);
    encode_add_output(out, is_told, 2);
}

/* Of a clue: what it names, how many cards' suits and values it tells anew, how many cards it
 * leaves of which nothing is told, and how far away the player sits. */
static void add_clue_features(const struct encoding *encoding, uint8_t number,
                              struct encode_outputs *out)
{
    const struct hounds *state = (const void *)encoding->table;
    uint8_t to = number / HOUNDS_SUBJECTS;
    uint8_t subject = number % HOUNDS_SUBJECTS;
    unsigned form = subject < HOUNDS_SUBJECT_VALUE ? 0 : subject < HOUNDS_SUBJECT_SLOT ? 1 : 2;
    unsigned suits = 0, values = 0;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        uint8_t card = state->table.slots[to][slot];
        bool is_slot = subject == HOUNDS_SUBJECT_SLOT + slot;
        bool is_suit = is_slot || hounds_clue_subject_for_suit(card) == subject;
        bool is_value = is_slot || hounds_clue_subject_for_value(card) == subject;
        suits |= (unsigned)(is_suit && (state->told_suit[to] >> slot & 1) == 0) << slot;
        values |= (unsigned)(is_value && (state->told_value[to] >> slot & 1) == 0) << slot;
    }
    unsigned told = state->told_suit[to] | state->told_value[to] | suits | values;
    unsigned anew = bits_count(suits | values);
    encode_add_output(out, form * TOLD + anew, FORMS * TOLD);
    encode_add_output(out, bits_count(suits) * (unsigned)TOLD + bits_count(values), TOLD * TOLD);
    encode_add_output(out, encoding->distance[to] * FORMS + form, SEATS_MAX * FORMS);
    encode_add_output(out, bits_count(told), TOLD);
}

/* Of the suit that becomes the bad dog: how many cards of it the seat sees and holds. */
static void add_bad_features(const struct encoding *encoding, uint8_t number,
                             struct encode_outputs *out)
{
    uint64_t suit = UINT64_C(0xFF) << number * HOUNDS_VALUES;
    encode_add_output(out, bits_count(encoding->seen.bits[0] & suit), COUNTS);
    encode_add_output(out, bits_count(encoding->own.bits[0] & suit), TOLD);
}

static const struct encode_moves moves[] = {
    {.feature_count = PLAY_FEATURES, .add_features = add_play_features},
    {.kind = ENCODE_PLAIN}, /* bids */
    {.feature_count = SLOT_FEATURES, .add_features = add_slot_features},
    {.kind = ENCODE_PLAIN}, /* to trade no card */
    {.feature_count = SLOT_FEATURES, .add_features = add_slot_features},
    {.kind = ENCODE_SEAT, .stride = 1},
    {.feature_count = BAD_FEATURES, .add_features = add_bad_features},
    {.kind = ENCODE_SEAT,
     .stride = HOUNDS_SUBJECTS,
     .feature_count = CLUE_FEATURES,
     .add_features = add_clue_features},
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
        encode_add(out, hounds_is_traded(state, me, slot) ? 0 : UINT16_MAX, 1);
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

/* What the seat knows of the cards of the round. Sets of cards have bit c for card c; `weaker` of a
 * hand has bit s for a card of strength s. */
struct outlook {
    const struct hounds *state;
    const struct encoding *encoding;
    uint64_t unseen;
    unsigned unseen_weaker[HOUNDS_CARDS]; /* by card: how many unseen cards are weaker */
    uint64_t strengths[SEATS_MAX];        /* of the cards that the seat sees in each hand */
    unsigned visible[SEATS_MAX];          /* the number of these cards */
    uint64_t rated;                       /* the cards whose chances are found */
    uint16_t holds[HOUNDS_CARDS];         /* … that no later player's card is stronger */
    uint16_t wins[HOUNDS_CARDS];          /* … nor any other player's */
};

static uint64_t find_unseen_cards(const struct hounds *state, const struct encoding *encoding)
{
    uint64_t cards = 0;
    for (uint8_t suit = 0; suit < HOUNDS_DEALT_SUITS; suit++) {
        cards |= ((UINT64_C(1) << (state->table.players + 1)) - 1) << suit * HOUNDS_VALUES;
    }
    return cards & ~encoding->seen.bits[0];
}

static void look_out(const struct hounds *state, const struct encoding *encoding,
                     struct outlook *out)
{
    unsigned weaker = 0;
    *out = (struct outlook){.state = state, .encoding = encoding};
    out->unseen = find_unseen_cards(state, encoding);
    for (uint8_t suit = HOUNDS_SUITS; suit-- > 0;) {
        for (uint8_t value = 0; value < HOUNDS_VALUES; value++) {
            uint8_t card = (uint8_t)(suit * HOUNDS_VALUES + value);
            out->unseen_weaker[card] = weaker;
            weaker += (unsigned)(out->unseen >> card & 1);
        }
    }
    out->unseen_weaker[HOUNDS_CERBERUS_CARD] = weaker;
    for (uint8_t owner = 0; owner < state->table.seats; owner++) {
        uint64_t cards = encoding->visible[owner].bits[0];
        out->visible[owner] = bits_count(cards);
        for (cards &= ~(UINT64_C(1) << HOUNDS_CERBERUS_CARD); cards != 0; cards &= cards - 1) {
            out->strengths[owner] |= UINT64_C(1) << hounds_strength(bits_index_of_lowest(cards));
        }
    }
}

/* The chance that the owner's next card is weaker, if it plays any card of its hand. */
static unsigned chance_of_weaker(const struct outlook *outlook, uint8_t owner, uint8_t card)
{
    unsigned held = bits_count(outlook->state->held[owner]);
    unsigned hidden = held - outlook->visible[owner];
    unsigned unseen = bits_count(outlook->unseen);
    uint64_t below =
        card == HOUNDS_CERBERUS_CARD ? UINT64_MAX : (UINT64_C(1) << hounds_strength(card)) - 1;
    unsigned weaker = bits_count(outlook->strengths[owner] & below) * ENCODE_CHANCE_ONE;
    if (unseen > 0) {
        weaker += hidden * outlook->unseen_weaker[card] * ENCODE_CHANCE_ONE / unseen;
    }
    return held == 0 ? ENCODE_CHANCE_ONE : weaker / held;
}

/* Finds the chances of a card, unless they are found. */
static void rate_card(struct outlook *outlook, uint8_t card)
{
    const struct encoding *encoding = outlook->encoding;
    unsigned holds = ENCODE_CHANCE_ONE, wins = ENCODE_CHANCE_ONE;
    unsigned others = (1U << encoding->table->seats) - 1 - (1U << encoding->me);
    if ((outlook->rated >> card & 1) != 0) {
        return;
    }
    for (; others != 0; others &= others - 1) {
        uint8_t seat = bits_index_of_lowest(others);
        unsigned weaker = chance_of_weaker(outlook, seat, card);
        wins = wins * weaker / ENCODE_CHANCE_ONE;
        holds = (encoding->later >> seat & 1) != 0 ? holds * weaker / ENCODE_CHANCE_ONE : holds;
    }
    outlook->rated |= UINT64_C(1) << card;
    outlook->holds[card] = (uint16_t)holds;
    outlook->wins[card] = (uint16_t)wins;
}

/* The suits and values that clues have left out for a slot: they name all cards of their subject.
 * Bit s: suit s; bit HOUNDS_SUBJECT_VALUE + v: value v. */
static unsigned find_left_out(const struct hounds *state, uint8_t seat, uint8_t slot)
{
    unsigned subjects = 0;
    for (uint8_t i = 0; i < state->clue_count; i++) {
        const struct hounds_clue *clue = &state->clues[i];
        bool leaves_out = clue->to == seat && clue->clue_subject < HOUNDS_SUBJECT_SLOT &&
                          (clue->slots >> slot & 1) == 0;
        subjects |= leaves_out ? 1U << clue->clue_subject : 0;
    }
    return subjects;
}

/* The cards that may lie in a hidden slot of the own hand. */
static uint64_t find_possible_cards(const struct outlook *outlook, uint8_t slot)
{
    const struct hounds *state = outlook->state;
    uint8_t me = outlook->encoding->me;
    uint8_t card = state->table.slots[me][slot];
    uint64_t all = outlook->unseen, cards = all;
    if (hounds_is_traded(state, me, slot)) { /* it comes from the dead hand, as the mops do */
        uint64_t mops = (UINT64_C(1) << (state->table.players + 1)) - 1;
        return cards | (mops << HOUNDS_MOPS * HOUNDS_VALUES & ~outlook->encoding->seen.bits[0]);
    }
    if ((state->told_suit[me] >> slot & 1) != 0) {
        cards &= UINT64_C(0xFF) << card / HOUNDS_VALUES * HOUNDS_VALUES;
    }
    if ((state->told_value[me] >> slot & 1) != 0) {
        cards &= UINT64_C(0x0101010101010101) << card % HOUNDS_VALUES;
    }
    for (unsigned rest = find_left_out(state, me, slot); rest != 0; rest &= rest - 1) {
        unsigned subject = bits_index_of_lowest(rest);
        cards &= ~(subject < HOUNDS_SUBJECT_VALUE
                       ? UINT64_C(0xFF) << subject * HOUNDS_VALUES
                       : UINT64_C(0x0101010101010101) << (subject - HOUNDS_SUBJECT_VALUE));
    }
    return cards == 0 ? all : cards;
}

static void fill_slot(struct outlook *outlook, uint8_t slot, uint16_t levels[ENCODE_LEVELS])
{
    const struct table_state *table = &outlook->state->table;
    uint8_t me = outlook->encoding->me;
    uint8_t card = table->slots[me][slot];
    unsigned least = table->trick_count == 0 ? 0 : hounds_strength(table->best_card);
    bool is_cerberus = card == HOUNDS_CERBERUS_CARD;
    bool is_seen = is_cerberus || (table->sight[me][slot] >> me & 1) != 0;
    uint64_t cards = is_seen ? UINT64_C(1) << card : find_possible_cards(outlook, slot);
    unsigned count = bits_count(cards);
    unsigned sums[LEVEL_SEEN] = {0};
    for (uint64_t rest = cards; rest != 0; rest &= rest - 1) {
        uint8_t one = bits_index_of_lowest(rest);
        bool wins = table->trick_count == 0 || hounds_strength(one) > least;
        sums[LEVEL_WINS] += wins ? ENCODE_CHANCE_ONE : 0;
        rate_card(outlook, one);
        sums[LEVEL_HOLDS] += wins ? outlook->holds[one] : 0;
        sums[LEVEL_STRENGTH] += outlook->wins[one];
    }
    for (unsigned level = 0; level < LEVEL_SEEN; level++) {
        levels[level] = (uint16_t)(count == 0 ? 0 : sums[level] / count);
    }
    levels[LEVEL_SEEN] = is_cerberus ? 2 : is_seen;
}

/* Fills in the levels of the own slots. Adds their strengths, the greatest first, and how many
 * tricks they promise together. */
static void add_levels(const struct hounds *state, struct encoding *out)
{
    struct outlook outlook FILLED_LATER;
    unsigned sorted[HOUNDS_SLOTS] = {0};
    unsigned sum = 0;
    look_out(state, out, &outlook);
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        bool is_held = (state->held[out->me] >> slot & 1) != 0;
        unsigned place = slot;
        memset(out->levels[slot], 0, sizeof(out->levels[slot]));
        if (is_held) {
            fill_slot(&outlook, slot, out->levels[slot]);
        }
        unsigned strength = out->levels[slot][LEVEL_STRENGTH];
        for (; place > 0 && sorted[place - 1] < strength; place--) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = strength;
        sum += strength;
    }
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        encode_add(out, encode_step(sorted[slot], STEPS), STEPS);
    }
    encode_add(out, sum * EXPECTED_STEPS / ENCODE_CHANCE_ONE, HOUNDS_SLOTS * EXPECTED_STEPS);
    encode_add_number(out, find_need(state, out->me), -HOUNDS_SLOTS, HOUNDS_SLOTS);
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
    add_levels(state, out);
    encode_add(out, state->bad_dog, HOUNDS_SUITS);
    encode_add_seat(out, state->leader);
    encode_add_seat(out, state->cerberus_seat);
    encode_add_by_seat(out, state->clues_left, HOUNDS_CLUES_EACH);
    encode_add_by_seat(out, trades, 2);
    encode_add_by_seat(out, state->badness, BADNESS_TOLD);
    encode_add_number(out, state->table.trick_count == 0 ? 0 : state->trick_bad, 0, 3);
}

const struct encode_traits heckin_hounds_encode = {
    .goal = {.points_unit = 4, .win_worth = 5, .is_zero_wanted = true},
    .groups = ENCODE_BIDS | ENCODE_OTHERS,
    .moves = moves,
    .sort = sort,
    .add = add,
    .reopen_bidding = hounds_reopen_bidding,
};
