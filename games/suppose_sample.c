#include "games/suppose.h"

#include "games/bits.h"

#include <string.h>

/*
 * A hand in play is no hand like any other: its colours lie together, each falling from left to
 * right. Some of its slots the viewer sees, some are gaps which the cards it has played fill in an
 * order that the view does not tell, and the rest holds unseen cards. A hand is filled from the
 * left, each card chosen in proportion to the number of ways in which the slots after it can still
 * be filled; these are counted first, from the right. So, of the ways to fill one hand from the
 * cards left, all are equally likely. The hands are filled one after the other.
 */

#define VALUES SUPPOSE_VALUES
#define COLOUR_SETS (1U << SUPPOSE_COLOURS)
#define DRAWS_MAX 2 /* copies */
#define ATTEMPTS 1000

/* Where filling stands: the card before the slot, and the colours so far, its own included. */
struct fill_at {
    uint8_t colours;
    uint8_t colour;
    uint8_t value; /* from 0 */
    uint8_t drawn; /* copies of this card drawn from the unseen ones, just before the slot */
};

struct fill {
    const struct view_slot *slots;
    const uint8_t *unseen; /* by face, how many */
    uint8_t gaps_before[SUPPOSE_SLOTS + 1];
    uint8_t played[SUPPOSE_COLOURS][SUPPOSE_SLOTS]; /* values played, falling */
    uint8_t played_count[SUPPOSE_COLOURS];
    uint8_t played_of[COLOUR_SETS]; /* cards played of the set's colours */
    /* Ways to fill the slots from this one on, after that card; and by beginning a colour that is
     * not in the set. */
    float ways[SUPPOSE_SLOTS + 1][COLOUR_SETS][SUPPOSE_COLOURS][VALUES][DRAWS_MAX + 1];
    float begins[SUPPOSE_SLOTS][COLOUR_SETS];
};

/* In how many ways that card can lie in the slot; *drawn becomes the draws it then has had. `at` is
 * where filling stands once it lies there, but for the draws, which are those before. */
static float fill_option(const struct fill *fill, uint8_t slot, const struct fill_at *at,
                         uint8_t *drawn)
{
    const struct view_slot *there = &fill->slots[slot];
    uint8_t face = (uint8_t)(at->colour * VALUES + at->value);
    *drawn = at->drawn;
    if (there->is_empty) {
        unsigned others = at->colours & ~(1U << at->colour);
        int index = fill->gaps_before[slot] - fill->played_of[others];
        bool is_next = index >= 0 && index < fill->played_count[at->colour] &&
                       fill->played[at->colour][index] == at->value;
        return is_next ? 1 : 0;
    }
    if (there->card != CARD_NONE) {
        return there->card == face ? 1 : 0;
    }
    if (fill->unseen[face] <= at->drawn) {
        return 0;
    }
    *drawn = (uint8_t)(at->drawn + 1);
    /* Which of the copies comes first makes no difference. */
    return (float)(fill->unseen[face] - at->drawn) / (float)*drawn;
}

/* Ways to fill the slot with that card and then all after it. */
static float fill_through(const struct fill *fill, uint8_t slot, const struct fill_at *at)
{
    uint8_t drawn;
    float options = fill_option(fill, slot, at, &drawn);
    if (options <= 0) {
        return 0;
    }
    return options * fill->ways[slot + 1][at->colours][at->colour][at->value][drawn];
}

/* All played cards of these colours lie before the slot. */
static bool fill_is_complete(const struct fill *fill, uint8_t slot, uint8_t colours)
{
    return fill->gaps_before[slot] == fill->played_of[colours];
}

static float fill_count_begins(const struct fill *fill, uint8_t slot, uint8_t colours)
{
    float ways = 0;
    for (uint8_t colour = 0; colour < SUPPOSE_COLOURS; colour++) {
        if ((colours >> colour & 1) != 0) {
            continue;
        }
        struct fill_at at = {.colours = (uint8_t)(colours | 1U << colour), .colour = colour};
        for (at.value = 0; at.value < VALUES; at.value++) {
            ways += fill_through(fill, slot, &at);
        }
    }
    return ways;
}

/* The ways after each card of one colour. Lower cards may follow however often this one was drawn,
 * so they are summed up once. */
static void fill_count_colour(struct fill *fill, uint8_t slot, uint8_t colours, uint8_t colour)
{
    float begun = fill_is_complete(fill, slot, colours) ? fill->begins[slot][colours] : 0;
    struct fill_at at = {.colours = colours, .colour = colour};
    for (at.value = 0; at.value < VALUES; at.value++) {
        for (at.drawn = 0; at.drawn <= DRAWS_MAX; at.drawn++) {
            fill->ways[slot][colours][colour][at.value][at.drawn] =
                begun + fill_through(fill, slot, &at);
        }
        at.drawn = 0;
        begun += fill_through(fill, slot, &at);
    }
}

static void fill_count_end(struct fill *fill)
{
    for (uint8_t colours = 0; colours < COLOUR_SETS; colours++) {
        float ways = fill_is_complete(fill, SUPPOSE_SLOTS, colours) ? 1 : 0;
        for (size_t i = 0; i < sizeof(fill->ways[0][0]) / sizeof(float); i++) {
            (&fill->ways[SUPPOSE_SLOTS][colours][0][0][0])[i] = ways;
        }
    }
}

static void fill_count_slot(struct fill *fill, uint8_t slot)
{
    for (uint8_t colours = 0; colours < COLOUR_SETS; colours++) {
        fill->begins[slot][colours] = fill_count_begins(fill, slot, colours);
        for (uint8_t left = colours; left != 0; left = (uint8_t)(left & (left - 1))) {
            fill_count_colour(fill, slot, colours, bits_lowest(left));
        }
    }
}

static void fill_count(struct fill *fill)
{
    fill_count_end(fill);
    for (uint8_t slot = SUPPOSE_SLOTS; slot-- > 0;) {
        fill_count_slot(fill, slot);
    }
}

/* Sorts what the seat has played by colour, falling. */
static void fill_read(struct fill *fill, const struct game_view *view, uint8_t seat)
{
    uint8_t faces[SUPPOSE_FACES] = {0};
    struct view_play play;
    for (uint8_t i = 0; sample_play(view, i, &play); i++) {
        faces[play.card] = (uint8_t)(faces[play.card] + (play.seat == seat));
    }
    fill->slots = view->hands[seat];
    fill->gaps_before[0] = 0;
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        fill->gaps_before[slot + 1] =
            (uint8_t)(fill->gaps_before[slot] + fill->slots[slot].is_empty);
    }
    memset(fill->played_count, 0, sizeof(fill->played_count));
    for (uint8_t face = SUPPOSE_FACES; face-- > 0;) {
        uint8_t colour = face / VALUES;
        for (; faces[face] > 0 && fill->played_count[colour] < SUPPOSE_SLOTS; faces[face]--) {
            fill->played[colour][fill->played_count[colour]++] = face % VALUES;
        }
    }
    for (uint8_t colours = 0; colours < COLOUR_SETS; colours++) {
        fill->played_of[colours] = 0;
        for (uint8_t left = colours; left != 0; left = (uint8_t)(left & (left - 1))) {
            fill->played_of[colours] =
                (uint8_t)(fill->played_of[colours] + fill->played_count[bits_lowest(left)]);
        }
    }
}

/* Takes a step off the way still to go and keeps the place, until the way is gone. */
static void fill_offer(const struct fill *fill, uint8_t slot, const struct fill_at *at, float *way,
                       struct fill_at *chosen)
{
    float ways = fill_through(fill, slot, at);
    if (ways <= 0 || *way < 0) {
        return;
    }
    *way -= ways;
    *chosen = *at;
    (void)fill_option(fill, slot, at, &chosen->drawn);
}

/* Chooses the card for a slot, after the card before it; `at` is moved on. False when none fits. */
static bool fill_choose(const struct fill *fill, uint8_t slot, struct fill_at *at,
                        struct quick_random *random)
{
    bool may_begin = fill_is_complete(fill, slot, at->colours);
    float ways = fill->begins[slot][at->colours];
    if (at->colours != 0) {
        ways = fill->ways[slot][at->colours][at->colour][at->value][at->drawn];
    }
    float way = ways * ((float)(quick_random_next(random) >> 40) / (float)(1U << 24));
    struct fill_at chosen = {.colours = 0};
    struct fill_at option = *at;
    for (uint8_t below = 0; at->colours != 0 && below <= at->value; below++) {
        option.value = (uint8_t)(at->value - below);
        option.drawn = below == 0 ? at->drawn : 0;
        fill_offer(fill, slot, &option, &way, &chosen);
    }
    option.drawn = 0;
    for (uint8_t face = 0; may_begin && face < SUPPOSE_FACES; face++) {
        option.colour = face / VALUES;
        option.value = face % VALUES;
        option.colours = (uint8_t)(at->colours | 1U << option.colour);
        if (option.colours != at->colours) {
            fill_offer(fill, slot, &option, &way, &chosen);
        }
    }
    *at = chosen;
    return chosen.colours != 0;
}

/* Everything a sample is made from. */
struct sampling {
    const struct game_view *view;
    struct quick_random *random;
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t faces[SUPPOSE_SEATS_MAX][SUPPOSE_SLOTS];
};

/* Fills the seat's hand from the unseen cards; false when it cannot be. */
static bool sampling_fill(struct sampling *sampling, uint8_t seat)
{
    struct fill fill FILLED_LATER;
    struct fill_at at = {.colours = 0};
    fill.unseen = sampling->unseen;
    fill_read(&fill, sampling->view, seat);
    fill_count(&fill);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        if (!fill_choose(&fill, slot, &at, sampling->random)) {
            return false;
        }
        sampling->faces[seat][slot] = (uint8_t)(at.colour * VALUES + at.value);
    }
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        const struct view_slot *there = &fill.slots[slot];
        if (!there->is_empty && there->card == CARD_NONE) {
            sampling->unseen[sampling->faces[seat][slot]]--;
        }
    }
    return true;
}

/* The hand the viewer has arranged is known, and where each of its cards lay, played or not. */
static bool sampling_sort(struct sampling *sampling, uint8_t seat, uint8_t arrangement)
{
    const struct view_slot *slots = sampling->view->hands[seat];
    uint8_t cards[SUPPOSE_SLOTS];
    uint8_t count = 0;
    struct card_set hand = {.bits = {0}};
    struct view_play play;
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        if (!slots[slot].is_empty) {
            cards[count++] = slots[slot].card;
        }
    }
    for (uint8_t i = 0; sample_play(sampling->view, i, &play); i++) {
        if (play.seat == seat && count < SUPPOSE_SLOTS) {
            cards[count++] = play.card;
        }
    }
    for (uint8_t i = 0; i < count; i++) {
        if (cards[i] == CARD_NONE) {
            return false;
        }
        bool is_second = (hand.bits[0] >> cards[i] & 1) != 0;
        hand.bits[0] |= UINT64_C(1) << (cards[i] + (is_second ? SUPPOSE_FACES : 0));
    }
    if (bits_count(hand.bits[0]) != SUPPOSE_SLOTS ||
        (suppose_orders(suppose_colours(&hand)) >> arrangement & 1) == 0) {
        return false;
    }
    suppose_sort(&hand, arrangement, sampling->faces[seat]);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t face = card_face(&suppose_deck, sampling->faces[seat][slot]);
        sampling->faces[seat][slot] = face;
        if (!slots[slot].is_empty && slots[slot].card != face) {
            return false;
        }
    }
    return true;
}

/* Counts the cards whose place nobody has shown the viewer; false when there are too few. */
static bool sampling_count(struct sampling *sampling)
{
    const struct game_view *view = sampling->view;
    uint8_t cards[2 * SUPPOSE_FACES];
    uint8_t count = suppose_deck_fill(view->seats, cards);
    int unseen[SUPPOSE_FACES] = {0};
    struct view_play play;
    for (uint8_t i = 0; i < count; i++) {
        unseen[card_face(&suppose_deck, cards[i])]++;
    }
    for (uint8_t i = 0; sample_play(view, i, &play); i++) {
        unseen[play.card]--;
    }
    for (uint8_t i = 0; i < view->seats * SUPPOSE_SLOTS; i++) {
        const struct view_slot *slot = &view->hands[i / SUPPOSE_SLOTS][i % SUPPOSE_SLOTS];
        if (!slot->is_empty && slot->card != CARD_NONE) {
            unseen[slot->card]--;
        }
    }
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        if (unseen[face] < 0) {
            return false;
        }
        sampling->unseen[face] = (uint8_t)unseen[face];
    }
    return true;
}

/* Fills all hands but the one the viewer has arranged, from its left on, so that the viewer's own,
 * of which the viewer knows least, comes last. A hand may take what a later one needs: then all is
 * begun anew. */
static bool sampling_hands(struct sampling *sampling, uint8_t arrangement)
{
    const struct game_view *view = sampling->view;
    uint8_t first = (uint8_t)((view->seat + 1) % view->seats);
    uint8_t unseen[SUPPOSE_FACES];
    if (!sampling_count(sampling) ||
        (view->seat != SPECTATOR && !sampling_sort(sampling, first, arrangement))) {
        return false;
    }
    memcpy(unseen, sampling->unseen, sizeof(unseen));
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool is_filled = true;
        memcpy(sampling->unseen, unseen, sizeof(unseen));
        for (uint8_t i = view->seat == SPECTATOR ? 0 : 1; i < view->seats && is_filled; i++) {
            is_filled = sampling_fill(sampling, (uint8_t)((first + i) % view->seats));
        }
        if (is_filled) {
            return true;
        }
    }
    return false;
}

static uint8_t sampled_prediction(struct quick_random *random)
{
    return (uint8_t)quick_random_below(random, SUPPOSE_PREDICTIONS);
}

/* Seats of the set, one at random. */
static uint8_t sampled_seat(uint8_t seats, struct quick_random *random)
{
    return bits_nth(seats, (uint8_t)quick_random_below(random, bits_count(seats)));
}

/* A random order of the colours the seat was dealt. */
static uint8_t sampled_order(const struct suppose *state, uint8_t seat, struct quick_random *random)
{
    uint64_t orders = suppose_orders(suppose_colours(&state->table.hands[seat]));
    uint8_t count = bits_count(orders);
    return bits_nth(orders, (uint8_t)quick_random_below(random, count));
}

/* The order in which the colours of a hand as passed lie. */
static uint8_t order_of_hand(const uint8_t faces[SUPPOSE_SLOTS])
{
    uint8_t colours[SUPPOSE_COLOURS] = {0};
    uint8_t count = 0;
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t colour = faces[slot] / VALUES;
        if (count == 0 || (colours[count - 1] != colour && count < SUPPOSE_COLOURS)) {
            colours[count++] = colour;
        }
    }
    return suppose_order_of(colours, count);
}

/* Before the pass, what the viewer has decided; *made counts it. False when that cannot be. */
static bool prepare_own(struct suppose *state, const struct game_view *view, int *made)
{
    uint8_t order = suppose_read_order(fields_find(&view->info, "arranged"));
    uint8_t prediction = suppose_read_prediction(fields_find(&view->info, "prediction"));
    uint8_t colours = suppose_colours(&state->table.hands[view->seat]);
    bool has_arranged = order != SUPPOSE_NONE;
    bool has_predicted = prediction != SUPPOSE_NONE;
    state->arranged[view->seat] = order;
    state->predicted[view->seat] = prediction;
    *made += has_arranged + has_predicted;
    return has_predicted != view_is_to_act(view) && has_arranged >= has_predicted &&
           (!has_arranged || (suppose_orders(colours) >> order & 1) != 0);
}

/* Before the pass. Who has arranged is known of those who have predicted too; of the others, how
 * many. */
static bool sample_prepare(struct suppose *state, const struct game_view *view,
                           struct quick_random *random)
{
    struct table_state *table = &state->table;
    struct sample_pool pool = {.deck = &suppose_deck};
    pool.count = suppose_deck_fill(view->seats, pool.cards);
    if (view->past_count > 0 || view->trick.count > 0 || view->to_act == 0 ||
        view->to_act >> view->seats != 0 || sample_hands(view, &pool, random, table) != GAME_OK) {
        return false;
    }
    int made = 0;
    uint8_t undecided = view->to_act;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((view->to_act >> seat & 1) == 0 && (int8_t)seat != view->seat) {
            state->arranged[seat] = sampled_order(state, seat, random);
            state->predicted[seat] = sampled_prediction(random);
            made += 2;
        }
    }
    if (view->seat != SPECTATOR) {
        undecided = (uint8_t)(undecided & ~(1U << view->seat));
        if (!prepare_own(state, view, &made)) {
            return false;
        }
    }
    int before = (int)((view->round - 1U) * suppose_round_moves(view->seats));
    int arranged = view->step - before - made;
    if (arranged < 0 || arranged > bits_count(undecided)) {
        return false;
    }
    for (; arranged > 0; arranged--) {
        uint8_t seat = sampled_seat(undecided, random);
        undecided = (uint8_t)(undecided & ~(1U << seat));
        state->arranged[seat] = sampled_order(state, seat, random);
    }
    table->to_act = view->to_act;
    return true;
}

/* After the pass, what everybody has decided; the viewer's own is in the view. */
static bool play_choices(struct suppose *state, const struct game_view *view,
                         struct quick_random *random)
{
    uint8_t seats = view->seats;
    for (uint8_t seat = 0; seat < seats; seat++) {
        state->predicted[seat] = sampled_prediction(random);
        state->arranged[seat] = SUPPOSE_NONE;
    }
    if (view->phase == PHASE_OVER) {
        memcpy(state->predicted, state->last_predicted, sizeof(state->predicted));
    }
    if (view->seat == SPECTATOR) {
        return true;
    }
    state->arranged[view->seat] = suppose_read_order(fields_find(&view->info, "arranged"));
    state->predicted[view->seat] = suppose_read_prediction(fields_find(&view->info, "prediction"));
    return state->arranged[view->seat] != SUPPOSE_NONE &&
           state->predicted[view->seat] != SUPPOSE_NONE;
}

/* The slot from which the seat may have played the card. */
static uint8_t played_slot(const struct suppose *state, const struct game_view *view,
                           const struct view_play *play)
{
    uint8_t slot = 0;
    while (slot < SUPPOSE_SLOTS &&
           (!view->hands[play->seat][slot].is_empty || (state->held[play->seat] >> slot & 1) == 0 ||
            card_face(&suppose_deck, state->table.slots[play->seat][slot]) != play->card)) {
        slot++;
    }
    return slot;
}

/* After the pass, to the round's end. */
static bool sample_play_phase(struct suppose *state, const struct game_view *view,
                              struct quick_random *random)
{
    struct sampling sampling = {.view = view, .random = random};
    struct sample_pool pool = {.deck = &suppose_deck};
    pool.count = suppose_deck_fill(view->seats, pool.cards);
    uint8_t own = view->seat == SPECTATOR ? SUPPOSE_NONE : (uint8_t)view->seat;
    if (!play_choices(state, view, random) ||
        !sampling_hands(&sampling, own == SUPPOSE_NONE ? SUPPOSE_NONE : state->arranged[own])) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        uint8_t arranger = (uint8_t)((seat + view->seats - 1) % view->seats);
        uint8_t cards[SUPPOSE_SLOTS];
        for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
            cards[slot] = sample_take(&pool, sampling.faces[seat][slot]);
        }
        suppose_receive(state, seat, cards);
        state->arranged[arranger] =
            arranger == own ? state->arranged[own] : order_of_hand(sampling.faces[seat]);
    }
    state->table.phase = SUPPOSE_PLAY;
    table_lead(&state->table, state->start);
    struct view_play play;
    for (uint8_t i = 0; sample_play(view, i, &play); i++) {
        uint8_t slot = played_slot(state, view, &play);
        if (suppose_apply(state, play.seat, slot, NULL) != GAME_OK) {
            return false;
        }
    }
    return true;
}

/* The predictions of the round scored last; none before the first score. */
static bool read_last_predictions(struct suppose *state, const struct game_view *view)
{
    const struct field *list = fields_find(&view->info, "last_predictions");
    bool has_score = view->round > 1 || view->phase == PHASE_OVER;
    if (list == NULL || list->type != (has_score ? FIELD_LIST : FIELD_NULL)) {
        return false;
    }
    uint8_t seat = 0;
    for (const struct field *at = field_first(list); at != NULL; at = field_next(list, at)) {
        uint8_t prediction = suppose_read_prediction(at);
        if (seat == view->seats || prediction == SUPPOSE_NONE) {
            return false;
        }
        state->last_predicted[seat++] = prediction;
    }
    return seat == (has_score ? view->seats : 0);
}

/* Reads the round's frame. */
static bool read_frame(struct suppose *state, const struct game_view *view)
{
    int32_t start = fields_number_or(&view->info, "start", -1);
    if (!sample_check(view) || view->seats != state->table.seats || view->round < 1 ||
        view->round > state->table.rounds || start < 0 || start >= view->seats) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (view->slot_count[seat] != SUPPOSE_SLOTS) {
            return false;
        }
    }
    table_begin_round(&state->table, view->round, SUPPOSE_SLOTS);
    state->start = (uint8_t)start;
    memset(state->arranged, SUPPOSE_NONE, sizeof(state->arranged));
    memset(state->predicted, SUPPOSE_NONE, sizeof(state->predicted));
    return read_last_predictions(state, view);
}

enum game_result suppose_sample(const struct game_view *view, const struct game_config *config,
                                struct quick_random *random, void *bytes)
{
    struct suppose *state = bytes;
    uint8_t seed[SEED_BYTES];
    sample_seed(random, seed);
    suppose_init(state, config, seed);
    if (!read_frame(state, view)) {
        return GAME_BAD_VIEW;
    }
    bool fits = view->phase == SUPPOSE_PREPARE ? sample_prepare(state, view, random)
                                               : sample_play_phase(state, view, random);
    return fits ? sample_finish(view, &state->table) : GAME_BAD_VIEW;
}
