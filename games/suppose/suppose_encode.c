#include "games/bots/bots.h"
#include "games/card.h"
#include "games/suppose/suppose.h"

#include <string.h>

#define TRICKS (SUPPOSE_SLOTS + 1)

/* What the seat wants of the tricks to come: that the neighbour takes so many. */
enum wish {
    WISH_LOST, /* the prediction cannot come true any more */
    WISH_NONE,
    WISH_ALL,
    WISH_SOME,
    WISHES,
};

/* What is told of each slot of the own hand, as chances. */
enum level {
    LEVEL_WINS,      /* the card takes the trick as it lies */
    LEVEL_HOLDS,     /* … and no later player's card takes it, if they play any card */
    LEVEL_NEIGHBOUR, /* the neighbour's card, if it is still to come, takes it after this one */
    LEVEL_STRENGTH,  /* it would win a trick that it leads */
    LEVEL_CARD,      /* no chance: the card if the seat knows it, else CARD_NONE */
};

#define STEPS 8
#define COARSE 4
#define LATER 4
#define NEIGHBOUR_PLACES 3
#define FEATURES                                                                                   \
    (STEPS * LATER + STEPS + STEPS + STEPS + SUPPOSE_FACES +                                       \
     WISHES * NEIGHBOUR_PLACES * COARSE * 2 + WISHES * COARSE * 2 + 2 * WISHES * STEPS)

static uint8_t find_wish(const struct suppose *state, uint8_t seat)
{
    const struct table_state *table = &state->table;
    uint8_t numbers[2];
    int taken = table->tricks[table->next[seat]];
    int left = SUPPOSE_SLOTS - table->past_count;
    uint8_t wish = WISH_LOST;
    uint8_t count = state->predicted[seat] == SUPPOSE_NONE
                        ? 0
                        : suppose_list_predicted_numbers(state->predicted[seat], numbers);
    for (uint8_t i = 0; i < count; i++) {
        int need = numbers[i] - taken;
        bool is_open = need >= 0 && need <= left;
        uint8_t own = need == 0 ? WISH_NONE : need == left ? WISH_ALL : WISH_SOME;
        wish = !is_open ? wish : wish == WISH_LOST ? own : WISH_SOME;
    }
    return wish;
}

/* Where the neighbour is in the trick: 0: still to come, 1: has the best card, 2: has lost. */
static unsigned place_of_neighbour(const struct table_state *table, const struct encoding *encoding)
{
    uint8_t neighbour = table->next[encoding->me];
    bool is_to_come = (encoding->later >> neighbour & 1) != 0;
    return is_to_come ? 0 : table->best_seat == neighbour ? 1 : 2;
}

/* How much stronger the card of a slot is than the weakest own one. */
static unsigned find_waste(const struct encoding *encoding, uint8_t number)
{
    const struct suppose *state = (const void *)encoding->table;
    unsigned weakest = encoding->levels[number][LEVEL_STRENGTH];
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        unsigned strength = encoding->levels[slot][LEVEL_STRENGTH];
        bool is_held = (state->held[encoding->me] >> slot & 1) != 0;
        weakest = is_held && strength < weakest ? strength : weakest;
    }
    return encoding->levels[number][LEVEL_STRENGTH] - weakest;
}

static void add_features(const struct encoding *encoding, uint8_t number,
                         struct encode_outputs *out)
{
    const struct table_state *table = encoding->table;
    const uint16_t *levels = encoding->levels[number];
    bool is_lead = table->trick_count == 0;
    unsigned later = is_lead ? LATER - 1 : bits_count(encoding->later);
    unsigned place = place_of_neighbour(table, encoding);
    unsigned situation = encoding->wish * NEIGHBOUR_PLACES + place;
    unsigned chance = place == 0 ? levels[LEVEL_NEIGHBOUR] : levels[LEVEL_WINS];
    unsigned seen = levels[LEVEL_CARD] == CARD_NONE
                        ? UINT16_MAX
                        : encode_card(encoding, (uint8_t)levels[LEVEL_CARD]);
    encode_add_output(out, later * STEPS + encode_step(levels[LEVEL_WINS], STEPS), STEPS * LATER);
    encode_add_output(out, encode_step(levels[LEVEL_HOLDS], STEPS), STEPS);
    encode_add_output(out, place == 0 ? encode_step(levels[LEVEL_NEIGHBOUR], STEPS) : UINT16_MAX,
                      STEPS);
    encode_add_output(out, encode_step(levels[LEVEL_STRENGTH], STEPS), STEPS);
    encode_add_output(out, seen, SUPPOSE_FACES);
    encode_add_output(out, (situation * 2 + is_lead) * COARSE + encode_step(chance, COARSE),
                      WISHES * NEIGHBOUR_PLACES * COARSE * 2);
    encode_add_output(
        out, (encoding->wish * 2U + is_lead) * COARSE + encode_step(levels[LEVEL_HOLDS], COARSE),
        WISHES * COARSE * 2);
    bool is_thrown = !is_lead && levels[LEVEL_WINS] == 0; /* it cannot win this trick */
    unsigned thrown = is_thrown ? encoding->wish * (unsigned)STEPS : UINT16_MAX;
    encode_add_output(out, thrown + encode_step(levels[LEVEL_STRENGTH], STEPS), WISHES * STEPS);
    encode_add_output(out, thrown + encode_step(find_waste(encoding, number), STEPS),
                      WISHES * STEPS);
}

static const struct encode_moves moves[] = {
    {.feature_count = FEATURES, .add_features = add_features},
    {.kind = ENCODE_TRICKS},
    {.kind = ENCODE_OWN},
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

/* The slots of the own hand whose cards the seat knows, because it sees them or has played them,
 * and all numbers that are no slots. */
static uint32_t find_known_slots(const struct suppose *state, uint8_t seat)
{
    uint32_t known = ~(uint32_t)state->held[seat];
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        known |= (uint32_t)suppose_holder_sees_slot(slot) << slot;
    }
    return known;
}

/* For each slot of the own hand the nearest cards that the seat knows, because it sees them or has
 * played them, from this slot to the left and to the right: the card lies between them. */
static void add_slots(const struct suppose *state, struct encoding *out)
{
    const uint8_t *cards = state->table.slots[out->me];
    bool is_passed = state->table.phase != SUPPOSE_PREPARE;
    uint32_t known = find_known_slots(state, out->me);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t left = (uint8_t)(31 - __builtin_clz(known & ((2U << slot) - 1)));
        uint8_t right = bits_index_of_lowest(known >> slot << slot);
        encode_add(out, (state->held[out->me] >> slot & 1) != 0 ? 0 : UINT16_MAX, 1);
        encode_add_card(out, is_passed ? cards[left] : CARD_NONE);
        encode_add_card(out, is_passed ? cards[right] : CARD_NONE);
    }
}

/* Cards of each face. */
struct faces {
    uint8_t of[SUPPOSE_FACES];
    uint8_t count;
};

static struct faces count_faces(struct card_set set)
{
    struct faces faces = {.count = 0};
    for (uint64_t rest = set.bits[0]; rest != 0; rest &= rest - 1) {
        faces.of[bits_index_of_lowest(rest) % SUPPOSE_FACES]++;
        faces.count++;
    }
    return faces;
}

/* What the seat knows of the cards that count. */
struct outlook {
    const struct suppose *state;
    const struct encoding *encoding;
    struct faces unseen;
    struct faces hands[SUPPOSE_SEATS_MAX]; /* the cards that the seat sees in them */
    uint8_t held[SUPPOSE_SEATS_MAX];
};

static struct outlook look_out(const struct suppose *state, const struct encoding *encoding)
{
    struct outlook outlook = {.state = state, .encoding = encoding};
    uint8_t cards[2 * SUPPOSE_FACES];
    uint8_t count = suppose_list_cards(state->table.players, cards);
    struct card_set unseen = {{0}};
    for (uint8_t i = 0; i < count; i++) {
        card_set_add(&unseen, cards[i]);
    }
    unseen.bits[0] &= ~encoding->seen.bits[0];
    outlook.unseen = count_faces(unseen);
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        outlook.hands[seat] = count_faces(encoding->visible[seat]);
        outlook.held[seat] = bits_count(state->held[seat]);
    }
    return outlook;
}

/* The chances of a card of each value of a colour that a seat's next card is a higher one of this
 * colour, if it plays any card. */
static void find_chances_of_higher(const struct outlook *outlook, uint8_t seat, uint8_t colour,
                                   unsigned chances[SUPPOSE_VALUES])
{
    unsigned held = outlook->held[seat];
    unsigned hidden = held - outlook->hands[seat].count;
    unsigned visible_higher = 0, unseen_higher = 0;
    for (uint8_t value = SUPPOSE_VALUES; value-- > 0;) {
        unsigned face = colour * (unsigned)SUPPOSE_VALUES + value;
        unsigned chance = visible_higher * ENCODE_CHANCE_ONE;
        if (outlook->unseen.count > 0) {
            chance += hidden * unseen_higher * ENCODE_CHANCE_ONE / outlook->unseen.count;
        }
        chances[value] = held == 0 ? 0 : chance / held;
        visible_higher += outlook->hands[seat].of[face];
        unseen_higher += outlook->unseen.of[face];
    }
}

/* What each face would do in the trick: the chances of enum level. */
struct prospects {
    unsigned of[LEVEL_CARD][SUPPOSE_FACES];
};

/* Lowers the chances of a colour's cards by those that a higher one comes, if these count. */
static void lower_chances(unsigned chances[SUPPOSE_VALUES], const unsigned higher[SUPPOSE_VALUES],
                          bool counts)
{
    for (uint8_t value = 0; value < SUPPOSE_VALUES && counts; value++) {
        chances[value] = chances[value] * (ENCODE_CHANCE_ONE - higher[value]) / ENCODE_CHANCE_ONE;
    }
}

/* Fills in the chances of each face that no next card is higher: of the players who come later, of
 * the neighbour if it does, and of all others. */
static void find_chances_to_hold(const struct outlook *outlook, struct prospects *out)
{
    const struct table_state *table = outlook->encoding->table;
    uint8_t me = outlook->encoding->me;
    for (unsigned i = 0; i < (unsigned)LEVEL_CARD * SUPPOSE_FACES; i++) {
        out->of[i / SUPPOSE_FACES][i % SUPPOSE_FACES] = ENCODE_CHANCE_ONE;
    }
    for (unsigned i = 0; i < table->seats * (unsigned)SUPPOSE_COLOURS; i++) {
        uint8_t seat = (uint8_t)(i / SUPPOSE_COLOURS), colour = i % SUPPOSE_COLOURS;
        size_t first = (size_t)colour * SUPPOSE_VALUES;
        bool is_later = (outlook->encoding->later >> seat & 1) != 0;
        unsigned higher[SUPPOSE_VALUES] FILLED_LATER;
        if (seat == me) {
            continue;
        }
        find_chances_of_higher(outlook, seat, colour, higher);
        lower_chances(out->of[LEVEL_STRENGTH] + first, higher, true);
        lower_chances(out->of[LEVEL_HOLDS] + first, higher, is_later);
        is_later = is_later && seat == table->next[me];
        lower_chances(out->of[LEVEL_NEIGHBOUR] + first, higher, is_later);
    }
}

/* How likely each face is in a slot between two known cards that are so many slots away, as numbers
 * to compare. `away` are the colours that lie elsewhere in the hand. */
static void weigh_faces(const struct outlook *outlook, const uint8_t known[2],
                        const unsigned distances[2], unsigned away, unsigned weights[SUPPOSE_FACES])
{
    uint8_t left = known[0] % SUPPOSE_FACES, right = known[1] % SUPPOSE_FACES;
    bool is_one_colour = left / SUPPOSE_VALUES == right / SUPPOSE_VALUES;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        uint8_t colour = face / SUPPOSE_VALUES;
        bool is_left = colour == left / SUPPOSE_VALUES && face >= left;
        bool is_right = colour == right / SUPPOSE_VALUES && face <= right;
        bool is_third = colour != left / SUPPOSE_VALUES && colour != right / SUPPOSE_VALUES &&
                        (away >> colour & 1) == 0;
        unsigned weight = is_one_colour
                              ? (is_left && is_right)
                              : is_left * distances[1] * 2 + is_right * distances[0] * 2 + is_third;
        weights[face] = weight * outlook->unseen.of[face];
    }
}

/* The chances of all faces on the mean of the weights. */
static uint16_t find_mean(const unsigned weights[SUPPOSE_FACES],
                          const unsigned chances[SUPPOSE_FACES])
{
    unsigned sum = 0, all = 0;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        sum += weights[face] * chances[face];
        all += weights[face];
    }
    return (uint16_t)(all == 0 ? 0 : sum / all);
}

static void find_prospects(const struct outlook *outlook, struct prospects *out)
{
    const struct table_state *table = &outlook->state->table;
    uint8_t best = table->trick_count == 0 ? CARD_NONE : table->best_card % SUPPOSE_FACES;
    unsigned *neighbour_takes = out->of[LEVEL_NEIGHBOUR];
    find_chances_to_hold(outlook, out);
    unsigned takes_best = best == CARD_NONE ? 0 : ENCODE_CHANCE_ONE - neighbour_takes[best];
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        bool wins =
            best == CARD_NONE || (face / SUPPOSE_VALUES == best / SUPPOSE_VALUES && face > best);
        out->of[LEVEL_WINS][face] = wins ? ENCODE_CHANCE_ONE : 0;
        out->of[LEVEL_HOLDS][face] = wins ? out->of[LEVEL_HOLDS][face] : 0;
        neighbour_takes[face] = wins ? ENCODE_CHANCE_ONE - neighbour_takes[face] : takes_best;
    }
}

/* The colours that the holder sees in a hand, or has played from it, left of a slot or right of
 * another one. */
static unsigned find_colours_away(const uint8_t *cards, uint32_t known, uint8_t left, uint8_t right)
{
    unsigned colours = 0;
    for (uint32_t rest = known & ((1U << SUPPOSE_SLOTS) - 1); rest != 0; rest &= rest - 1) {
        uint8_t slot = bits_index_of_lowest(rest);
        if (slot < left || slot > right) {
            colours |= 1U << cards[slot] % SUPPOSE_FACES / SUPPOSE_VALUES;
        }
    }
    return colours;
}

/* Fills in the levels of the slots of the own hand. */
static void fill_levels(const struct suppose *state, struct encoding *out)
{
    const uint8_t *cards = state->table.slots[out->me];
    const struct outlook outlook = look_out(state, out);
    struct prospects prospects = {{{0}}};
    uint32_t known = find_known_slots(state, out->me);
    find_prospects(&outlook, &prospects);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t left = (uint8_t)(31 - __builtin_clz(known & ((2U << slot) - 1)));
        uint8_t right = bits_index_of_lowest(known >> slot << slot);
        const uint8_t ends[2] = {cards[left], cards[right]};
        const unsigned distances[2] = {slot - left, right - slot};
        bool is_known = left == right;
        uint8_t face = cards[slot] % SUPPOSE_FACES;
        unsigned weights[SUPPOSE_FACES] FILLED_LATER;
        if (!is_known) {
            weigh_faces(&outlook, ends, distances, find_colours_away(cards, known, left, right),
                        weights);
        }
        for (unsigned level = 0; level < LEVEL_CARD; level++) {
            out->levels[slot][level] = is_known ? (uint16_t)prospects.of[level][face]
                                                : find_mean(weights, prospects.of[level]);
        }
        out->levels[slot][LEVEL_CARD] =
            is_known ? card_number_without_copy(&suppose_deck, cards[slot]) : CARD_NONE;
    }
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct suppose *state = state_bytes;
    const struct table_state *table = &state->table;
    out->wish = find_wish(state, out->me);
    if (table->phase == SUPPOSE_PLAY) {
        fill_levels(state, out);
    }
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
    encode_add_seat(out, state->table.leads[0]);
    add_slots(state, out);
}

/* Before the hands are passed there is nothing to take back: who has predicted may not move. */
static void reopen_bidding(void *state_bytes)
{
    struct suppose *state = state_bytes;
    struct table_state *table = &state->table;
    uint8_t cards[SEATS_MAX][SLOTS_MAX];
    if (table->phase != SUPPOSE_PLAY) {
        return;
    }
    memcpy(cards, table->slots, sizeof(cards));
    table_begin_round(table, table->round, SUPPOSE_SLOTS);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table_give_hand(table, seat, cards[table->next[seat]], SUPPOSE_SLOTS);
    }
    memset(state->predicted, SUPPOSE_NONE, sizeof(state->predicted));
    memset(state->held, 0, sizeof(state->held));
    table->phase = SUPPOSE_PREPARE;
    table->to_act = (uint8_t)((1U << table->seats) - 1);
}

static void set_bid(void *state_bytes, uint8_t seat, uint8_t move)
{
    struct suppose *state = state_bytes;
    state->predicted[seat] = (uint8_t)(move - SUPPOSE_PREDICT_FIRST);
}

const struct encode_traits suppose_encode = {
    .goal = {.points_unit = 4, .win_worth = 2},
    .groups = ENCODE_OTHERS,
    .moves = moves,
    .add = add,
    .find_output = find_output,
    .reopen_bidding = reopen_bidding,
    .set_bid = set_bid,
    .list_tricks = suppose_list_predicted_numbers,
    .points = {SUPPOSE_BONUS_ONE, SUPPOSE_BONUS_TWO},
};
