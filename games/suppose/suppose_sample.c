#include "games/suppose/suppose.h"

#include "games/card.h"
#include "games/hidden.h"

#include <string.h>

/*
 * Counts the ways to fill one hand after all hands have been passed, and draws one of them. The
 * colours of the hand lie together, and each colour is sorted. The viewer knows the cards of some
 * slots: those that the viewer sees, and those from which cards were played. The remaining slots
 * hold unseen cards.
 *
 * Every way counts as often as there are deals and orders that lead to it: an order of k colours is
 * one of k! possible orders, and either of two equal cards may be the one that lies here, unless
 * both lie in the same hand. First all ways are counted (each colour's cards from right to left,
 * then the colours from right to left). Then a way is drawn from left to right, each step in
 * proportion to the number of ways that continue from it. So a draw is exact except for rounding in
 * the counts.
 */

#define SUPPOSE_FILL_DRAWS 3 /* number of cases: 0, 1 or 2 copies of a card were drawn */

struct suppose_fill {
    uint8_t slots[SUPPOSE_SLOTS]; /* the card that is or was in the slot, or SLOT_HIDDEN */
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t known[SUPPOSE_FACES]; /* number of copies in this hand that the viewer knows, played or
                                     seen */
    /* In these tables, the first index is a colour, the second the slot after the colour's last
     * card. `reach` is the first slot in which the colour's cards can begin. `begun` has, by the
     * slot in which they begin, the number of ways to fill the slots up to the second index.
     * `after` has the same number when a given card lies just before the slot, by that card's value
     * and the number of its copies drawn. */
    uint8_t reach[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1];
    float begun[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS];
    float after[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS + 1][SUPPOSE_VALUES]
               [SUPPOSE_FILL_DRAWS];
    /* The number of ways to fill the slots from a given slot to the end, by the set of colours to
     * its left. */
    float ways[SUPPOSE_SLOTS + 1][1U << SUPPOSE_COLOURS];
};

#define VALUES SUPPOSE_VALUES

#define SLOT_HIDDEN 0xFF

/* Puts each card that the seat has played into the slot that the view tells for it. */
static void read_played_cards(struct suppose_fill *fill, const struct game_view *view, uint8_t seat)
{
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (play.seat == seat) {
            fill->slots[play.slot] = play.card;
            fill->known[play.card]++;
        }
    }
}

static void read_hand(struct suppose_fill *fill, const struct game_view *view, uint8_t seat,
                      const uint8_t unseen[SUPPOSE_FACES])
{
    memset(fill->known, 0, sizeof(fill->known));
    memset(fill->slots, SLOT_HIDDEN, sizeof(fill->slots));
    memcpy(fill->unseen, unseen, sizeof(fill->unseen));
    read_played_cards(fill, view, seat);
    for (uint8_t i = 0; i < SUPPOSE_SLOTS; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        if (!slot->is_empty && slot->card != CARD_NONE) {
            fill->slots[i] = slot->card;
            fill->known[slot->card]++;
        }
    }
}

/* A run is the row of slots that a colour's cards take. The struct also has the slot to fill and
 * the slot before which the run ends. */
struct fill_run {
    uint8_t colour;
    uint8_t end;
    uint8_t slot;
};

/* Returns the number of ways to lay a card of this value in the run's slot, when `copies_before`
 * copies of the card have just been drawn. Sets *copies_after to the number of copies drawn
 * including this one. */
static float count_ways_to_lay_value(const struct suppose_fill *fill, const struct fill_run *run,
                                     uint8_t value, uint8_t copies_before, uint8_t *copies_after)
{
    uint8_t card = (uint8_t)(run->colour * VALUES + value);
    uint8_t there = fill->slots[run->slot];
    *copies_after = copies_before;
    if (there != SLOT_HIDDEN) {
        return there == card ? 1 : 0;
    }
    if (fill->unseen[card] <= copies_before) {
        return 0;
    }
    *copies_after = (uint8_t)(copies_before + 1);
    /* A hand stays the same when two equal cards in it change places. */
    return (float)(fill->unseen[card] - copies_before) /
           (float)(fill->known[card] + copies_before + 1);
}

/* Counts the ways to fill the run from its slot on; the ways from the next slot on are counted
 * already. False when there are none. */
static bool count_ways_from_slot(struct suppose_fill *fill, const struct fill_run *run)
{
    float(*next)[SUPPOSE_FILL_DRAWS] = fill->after[run->colour][run->end][run->slot + 1];
    float(*here)[SUPPOSE_FILL_DRAWS] = fill->after[run->colour][run->end][run->slot];
    float higher = 0;
    uint8_t drawn;
    for (uint8_t value = VALUES; value-- > 0;) {
        for (uint8_t before = 0; before < SUPPOSE_FILL_DRAWS; before++) {
            float options = count_ways_to_lay_value(fill, run, value, before, &drawn);
            here[value][before] = higher + (options > 0 ? options * next[value][drawn] : 0);
        }
        higher = here[value][0];
    }
    fill->begun[run->colour][run->end][run->slot] = higher;
    return higher > 0;
}

static void count_ways_to_lay_colour(struct suppose_fill *fill, uint8_t colour, uint8_t end_slot)
{
    for (uint8_t i = 0; i < VALUES * SUPPOSE_FILL_DRAWS; i++) {
        fill->after[colour][end_slot][end_slot][i / SUPPOSE_FILL_DRAWS][i % SUPPOSE_FILL_DRAWS] = 1;
    }
    uint8_t slot = end_slot;
    bool goes_on = true;
    while (goes_on && slot > 0) {
        struct fill_run at = {colour, end_slot, (uint8_t)(slot - 1)};
        goes_on = count_ways_from_slot(fill, &at);
        slot = (uint8_t)(slot - goes_on);
    }
    fill->reach[colour][end_slot] = slot;
}

/* Returns the number of ways to lay a colour's cards in the slots from `first_slot` to `end_slot` -
 * 1. */
static float count_ways_to_lay_run(const struct suppose_fill *fill, uint8_t colour,
                                   uint8_t first_slot, uint8_t end_slot)
{
    return first_slot >= fill->reach[colour][end_slot] ? fill->begun[colour][end_slot][first_slot]
                                                       : 0;
}

/* Weighs each set of colours with which a hand may end: its order is one of k! possible orders of k
 * colours. */
static void count_ways_after_last_slot(struct suppose_fill *fill)
{
    for (unsigned colours = 0; colours < 1U << SUPPOSE_COLOURS; colours++) {
        uint8_t orders = bits_count(suppose_find_orders_of_colours((uint8_t)colours));
        fill->ways[SUPPOSE_SLOTS][colours] = 1 / (float)orders;
    }
}

/* Adds the ways in which a colour's cards fill the slots from `first_slot` to `end_slot` - 1,
 * whatever colours lie to their left. */
static void add_ways_to_lay_run(struct suppose_fill *fill, uint8_t colour, uint8_t first_slot,
                                uint8_t end_slot)
{
    float block = count_ways_to_lay_run(fill, colour, first_slot, end_slot);
    for (unsigned before = 0; block > 0 && before < 1U << SUPPOSE_COLOURS; before++) {
        bool is_new = (before >> colour & 1) == 0;
        fill->ways[first_slot][before] +=
            is_new ? block * fill->ways[end_slot][before | 1U << colour] : 0;
    }
}

static void add_ways_to_lay_all_colours(struct suppose_fill *fill, uint8_t first_slot,
                                        uint8_t end_slot)
{
    for (uint8_t colour = 0; colour < SUPPOSE_COLOURS; colour++) {
        add_ways_to_lay_run(fill, colour, first_slot, end_slot);
    }
}

static void count_ways_to_fill_slots(struct suppose_fill *fill)
{
    count_ways_after_last_slot(fill);
    for (uint8_t first_slot = SUPPOSE_SLOTS; first_slot-- > 0;) {
        memset(fill->ways[first_slot], 0, sizeof(fill->ways[first_slot]));
        for (uint8_t end_slot = (uint8_t)(first_slot + 1); end_slot <= SUPPOSE_SLOTS; end_slot++) {
            add_ways_to_lay_all_colours(fill, first_slot, end_slot);
        }
    }
}

/* Counts the ways to fill the seat's hand, given the number of unseen copies of each card. The view
 * must come from after the pass, and sample_view_is_well_formed must have accepted it. */
static void suppose_fill_count_ways(struct suppose_fill *fill, const struct game_view *view,
                                    uint8_t seat, const uint8_t unseen[SUPPOSE_FACES])
{
    read_hand(fill, view, seat, unseen);
    for (uint8_t colour = 0; colour < SUPPOSE_COLOURS; colour++) {
        for (uint8_t end_slot = 1; end_slot <= SUPPOSE_SLOTS; end_slot++) {
            count_ways_to_lay_colour(fill, colour, end_slot);
        }
    }
    count_ways_to_fill_slots(fill);
}

/* Returns a random number from 0 to `limit`. */
static float draw_number_up_to(float limit, struct quick_random *random)
{
    return limit * ((float)(quick_random_next(random) >> 40) / (float)(1U << 24));
}

/* Whether a copy of the card may go to this hand. `drawn_copies` copies are drawn already, of which
 * `drawn_for_others` are for other hands. If one copy lies in this hand and one in another, the two
 * hands together count this case four times. It should count twice, so half of these draws are
 * refused. */
static bool may_take_copy(uint8_t unseen_copies, uint8_t drawn_copies, uint8_t drawn_for_others,
                          struct quick_random *random)
{
    return drawn_copies < unseen_copies && (drawn_for_others == 0 || unseen_copies < 2 ||
                                            (quick_random_next(random) >> 63 & 1) == 0);
}

/* The part of a hand that has been drawn so far. */
struct fill_draw {
    struct quick_random *random;
    uint8_t *drawn;
    uint8_t others[SUPPOSE_FACES]; /* number of copies of each card drawn for other hands */
    uint8_t *faces;
    uint8_t value; /* the previous card, and how many copies of it were just drawn */
    uint8_t copies;
};

/* Chooses at random the value of the card in a slot; false when no value is possible. */
static bool choose_random_value(const struct suppose_fill *fill, struct fill_draw *draw,
                                const struct fill_run *run, float ways)
{
    const float(*next)[SUPPOSE_FILL_DRAWS] =
        (const float(*)[SUPPOSE_FILL_DRAWS])fill->after[run->colour][run->end][run->slot + 1];
    float point = draw_number_up_to(ways, draw->random);
    uint8_t before = draw->value;
    uint8_t copies = draw->copies;
    bool is_chosen = false;
    for (uint8_t value = before; value < VALUES && (!is_chosen || point >= 0); value++) {
        uint8_t after;
        float options =
            count_ways_to_lay_value(fill, run, value, value == before ? copies : 0, &after);
        if (options > 0 && next[value][after] > 0) {
            point -= options * next[value][after];
            draw->value = value;
            draw->copies = after;
            is_chosen = true;
        }
    }
    return is_chosen;
}

/* Chooses at random a colour's cards for the slots from `first_slot` to `end_slot` - 1. */
static bool choose_random_cards_of_run(const struct suppose_fill *fill, struct fill_draw *draw,
                                       uint8_t colour, uint8_t first_slot, uint8_t end_slot)
{
    float ways = fill->begun[colour][end_slot][first_slot];
    draw->value = 0;
    draw->copies = 0;
    for (uint8_t slot = first_slot; slot < end_slot; slot++) {
        struct fill_run at = {colour, end_slot, slot};
        if (!choose_random_value(fill, draw, &at, ways)) {
            return false;
        }
        ways = fill->after[colour][end_slot][slot + 1][draw->value][draw->copies];
        uint8_t card = (uint8_t)(colour * VALUES + draw->value);
        draw->faces[slot] = card;
        if (fill->slots[slot] != SLOT_HIDDEN) {
            continue;
        }
        if (!may_take_copy(fill->unseen[card], draw->drawn[card], draw->others[card],
                           draw->random)) {
            return false;
        }
        draw->drawn[card]++;
    }
    return true;
}

/* Chooses at random the colour whose cards begin in a slot, and the slot where they end. False when
 * no colour is possible. */
static bool choose_random_colour(const struct suppose_fill *fill, struct quick_random *random,
                                 unsigned colours_before, struct fill_run *run)
{
    float point = draw_number_up_to(fill->ways[run->slot][colours_before], random);
    bool is_chosen = false;
    uint8_t first_slot = run->slot;
    for (unsigned i = SUPPOSE_COLOURS * first_slot;
         i < SUPPOSE_COLOURS * SUPPOSE_SLOTS && (!is_chosen || point >= 0); i++) {
        uint8_t colour = (uint8_t)(i % SUPPOSE_COLOURS);
        uint8_t end_slot = (uint8_t)(i / SUPPOSE_COLOURS + 1);
        bool is_new = (colours_before >> colour & 1) == 0;
        float ways = is_new ? count_ways_to_lay_run(fill, colour, first_slot, end_slot) *
                                  fill->ways[end_slot][colours_before | 1U << colour]
                            : 0;
        if (ways > 0) {
            point -= ways;
            run->colour = colour;
            run->end = end_slot;
            is_chosen = true;
        }
    }
    return is_chosen;
}

/* Fills the hand in one way chosen at random. `drawn` holds the number of copies of each card drawn
 * for other hands; the cards of this hand are added to it. Filling all hands in this way gives each
 * possible combination of hands a chance in proportion to its count. Returns false, with `drawn`
 * unspecified, when the hand is impossible or all hands must be filled again. */
static bool suppose_fill_draw_hand(const struct suppose_fill *fill, struct quick_random *random,
                                   uint8_t drawn[SUPPOSE_FACES], uint8_t faces[SUPPOSE_SLOTS])
{
    struct fill_draw draw = {.random = random, .drawn = drawn, .faces = faces};
    struct fill_run at = {.slot = 0};
    unsigned before = 0;
    memcpy(draw.others, drawn, sizeof(draw.others));
    while (at.slot < SUPPOSE_SLOTS) {
        if (!choose_random_colour(fill, random, before, &at) ||
            !choose_random_cards_of_run(fill, &draw, at.colour, at.slot, at.end)) {
            return false;
        }
        before |= 1U << at.colour;
        at.slot = at.end;
    }
    return true;
}

/*
 * How hands are drawn after they have been passed. In each hand the cards of a colour lie side by
 * side, in order. The functions above count the ways to fill one hand and draw one of them.
 *
 * For a player's view, all hands are drawn independently of each other; if they then contain more
 * copies of a card than are left, all are drawn anew. So the chance of each combination of hands is
 * in proportion to the number of ways to get it. For a spectator, who sees almost nothing, that
 * would take too long. So the hands are filled one after the other, and then each is drawn again
 * several times while the others stay. This comes close to the same chances (Gibbs sampling).
 */

#define ATTEMPTS_MAX 20000
#define ROUNDS_AGAIN 6 /* how often each hand is drawn again while the others stay */
#define ATTEMPTS_ONE_BY_ONE 1000

/* The data from which the hands of one sample are drawn. */
struct sampling {
    const struct game_view *view;
    struct quick_random *random;
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t faces[SUPPOSE_SEATS_MAX][SUPPOSE_SLOTS];
    uint8_t count; /* number of hands to fill; the viewer knows least about their own hand, so it
                      comes last */
    uint8_t seats[SUPPOSE_SEATS_MAX];
    struct suppose_fill fills[SUPPOSE_SEATS_MAX];
};

/* Whether each card that the seat played lay in the slot that the view tells for it. */
static bool played_cards_fit_their_slots(const struct sampling *sampling, uint8_t seat)
{
    struct view_play play;
    bool fits = true;
    for (uint8_t i = 0; sample_read_play(sampling->view, i, &play); i++) {
        fits = fits && (play.seat != seat || sampling->faces[seat][play.slot] == play.card);
    }
    return fits;
}

/* Records all cards and slots of the hand that the viewer arranged: the viewer knows them all,
 * whether played or not. */
static bool record_arranged_hand(struct sampling *sampling, uint8_t seat, uint8_t colour_order)
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
    for (uint8_t i = 0; sample_read_play(sampling->view, i, &play); i++) {
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
        (suppose_find_orders_of_colours(suppose_get_colours_of_hand(&hand)) >> colour_order & 1) ==
            0) {
        return false;
    }
    suppose_sort_hand(&hand, colour_order, sampling->faces[seat]);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t face = card_number_without_copy(&suppose_deck, sampling->faces[seat][slot]);
        sampling->faces[seat][slot] = face;
        if (!slots[slot].is_empty && slots[slot].card != face) {
            return false;
        }
    }
    return played_cards_fit_their_slots(sampling, seat);
}

/* Counts the cards whose slot the viewer does not know. False when the view shows more copies of a
 * card than exist. */
static bool count_unseen_cards(struct sampling *sampling)
{
    const struct game_view *view = sampling->view;
    uint8_t cards[2 * SUPPOSE_FACES];
    uint8_t count = suppose_list_cards(view->seats, cards);
    int unseen[SUPPOSE_FACES] = {0};
    struct view_play play;
    for (uint8_t i = 0; i < count; i++) {
        unseen[card_number_without_copy(&suppose_deck, cards[i])]++;
    }
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
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

/* Draws all hands at random, and draws all of them anew while they do not fit together. False after
 * ATTEMPTS_MAX attempts. */
static bool fill_hands_independently(struct sampling *sampling)
{
    for (uint8_t i = 0; i < sampling->count; i++) {
        suppose_fill_count_ways(&sampling->fills[i], sampling->view, sampling->seats[i],
                                sampling->unseen);
    }
    for (unsigned attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        uint8_t drawn[SUPPOSE_FACES] = {0};
        uint8_t i = 0;
        while (i < sampling->count &&
               suppose_fill_draw_hand(&sampling->fills[i], sampling->random, drawn,
                                      sampling->faces[sampling->seats[i]])) {
            i++;
        }
        if (i == sampling->count) {
            return true;
        }
    }
    return false;
}

/* Fills one hand with unseen cards that no other hand has. Removes them from
 * `unseen_left`, the number of unseen copies left of each card. */
static bool fill_one_hand(struct sampling *sampling, uint8_t seat,
                          uint8_t unseen_left[SUPPOSE_FACES])
{
    uint8_t drawn[SUPPOSE_FACES] = {0};
    suppose_fill_count_ways(&sampling->fills[0], sampling->view, seat, unseen_left);
    if (!suppose_fill_draw_hand(&sampling->fills[0], sampling->random, drawn,
                                sampling->faces[seat])) {
        return false;
    }
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        unseen_left[face] = (uint8_t)(unseen_left[face] - drawn[face]);
    }
    return true;
}

/* Puts the cards that were drawn for a hand back among the unseen cards. */
static void return_drawn_cards(const struct sampling *sampling, uint8_t seat,
                               uint8_t unseen_left[SUPPOSE_FACES])
{
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        const struct view_slot *there = &sampling->view->hands[seat][slot];
        unseen_left[sampling->faces[seat][slot]] +=
            (uint8_t)(!there->is_empty && there->card == CARD_NONE);
    }
}

/* Moves the hand that can be filled in the fewest ways to the given place; the hands before it are
 * filled. */
static void choose_next_hand(struct sampling *sampling, uint8_t place,
                             const uint8_t unseen_left[SUPPOSE_FACES])
{
    float fewest = 0;
    for (uint8_t i = place; i < sampling->count; i++) {
        uint8_t seat = sampling->seats[i];
        suppose_fill_count_ways(&sampling->fills[0], sampling->view, seat, unseen_left);
        if (i == place || sampling->fills[0].ways[0][0] < fewest) {
            fewest = sampling->fills[0].ways[0][0];
            sampling->seats[i] = sampling->seats[place];
            sampling->seats[place] = seat;
        }
    }
}

/* Draws one hand after the other, first those that can be filled in few ways. A hand may still take
 * a card that a later hand needs; then drawing starts again. */
static bool fill_hands_one_by_one(struct sampling *sampling)
{
    uint8_t unseen_left[SUPPOSE_FACES];
    bool is_filled = false;
    for (unsigned attempt = 0; attempt < ATTEMPTS_ONE_BY_ONE && !is_filled; attempt++) {
        is_filled = true;
        memcpy(unseen_left, sampling->unseen, sizeof(unseen_left));
        for (uint8_t i = 0; i < sampling->count && is_filled; i++) {
            choose_next_hand(sampling, i, unseen_left);
            is_filled = fill_one_hand(sampling, sampling->seats[i], unseen_left);
        }
    }
    for (unsigned i = 0; is_filled && i < ROUNDS_AGAIN * (unsigned)sampling->count; i++) {
        uint8_t seat = sampling->seats[i % sampling->count];
        return_drawn_cards(sampling, seat, unseen_left);
        is_filled = fill_one_hand(sampling, seat, unseen_left);
    }
    return is_filled;
}

/* Fills all hands except the one that the viewer arranged. */
static bool fill_hands(struct sampling *sampling, uint8_t colour_order)
{
    const struct game_view *view = sampling->view;
    bool is_spectator = view->seat == SPECTATOR;
    uint8_t first = (uint8_t)((view->seat + 1) % view->seats);
    if (!count_unseen_cards(sampling) ||
        (!is_spectator && !record_arranged_hand(sampling, first, colour_order))) {
        return false;
    }
    sampling->count = 0;
    for (uint8_t i = is_spectator ? 0 : 1; i < view->seats; i++) {
        sampling->seats[sampling->count++] = (uint8_t)((first + i) % view->seats);
    }
    return (!is_spectator && fill_hands_independently(sampling)) || fill_hands_one_by_one(sampling);
}

static uint8_t draw_random_prediction(struct quick_random *random)
{
    return (uint8_t)quick_random_draw_below(random, SUPPOSE_PREDICTIONS);
}

/* Returns a random order of the colours that the seat was dealt. */
static uint8_t draw_random_colour_order(const struct suppose *state, uint8_t seat,
                                        struct quick_random *random)
{
    uint8_t colours = suppose_get_colours_of_hand(&state->table.hands[seat]);
    return quick_random_draw_bit(random, suppose_find_orders_of_colours(colours));
}

/* Returns the order of the colours in a hand that has been passed on. */
static uint8_t find_colour_order_of_hand(const uint8_t faces[SUPPOSE_SLOTS])
{
    uint8_t colours[SUPPOSE_COLOURS] = {0};
    uint8_t count = 0;
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t colour = faces[slot] / VALUES;
        if (count == 0 || (colours[count - 1] != colour && count < SUPPOSE_COLOURS)) {
            colours[count++] = colour;
        }
    }
    return suppose_find_order_with_colours(colours, count);
}

/* Before the hands are passed: restores the viewer's own decisions and adds their number to
 * *move_count. False when they are impossible. */
static bool restore_viewer_decisions(struct suppose *state, const struct game_view *view,
                                     int *move_count)
{
    uint8_t colour_order = suppose_known(view)->arranged;
    uint8_t prediction = suppose_known(view)->prediction;
    uint8_t colours = suppose_get_colours_of_hand(&state->table.hands[view->seat]);
    bool has_arranged = colour_order != SUPPOSE_NONE;
    bool has_predicted = prediction != SUPPOSE_NONE;
    state->arranged[view->seat] = colour_order;
    state->predicted[view->seat] = prediction;
    *move_count += has_arranged + has_predicted;
    return has_predicted != view_viewer_may_move(view) && has_arranged >= has_predicted &&
           (!has_arranged || (suppose_find_orders_of_colours(colours) >> colour_order & 1) != 0);
}

/* Before the hands are passed: chooses the other players' decisions at random. A player who has
 * made a prediction has also arranged their hand; of the others, only the number of those who have
 * arranged theirs is known. */
static bool restore_state_before_pass(struct suppose *state, const struct game_view *view,
                                      struct quick_random *random)
{
    struct table_state *table = &state->table;
    struct sample_pool pool = {.deck = &suppose_deck};
    pool.count = suppose_list_cards(view->seats, pool.cards);
    if (view->past_count > 0 || view->trick.count > 0 || view->to_act == 0 ||
        view->to_act >> view->seats != 0 || !sample_deal_hands(view, &pool, random, table)) {
        return false;
    }
    int made = 0;
    uint8_t undecided = view->to_act;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((view->to_act >> seat & 1) == 0 && (int8_t)seat != view->seat) {
            state->arranged[seat] = draw_random_colour_order(state, seat, random);
            state->predicted[seat] = draw_random_prediction(random);
            made += 2;
        }
    }
    if (view->seat != SPECTATOR) {
        undecided = (uint8_t)(undecided & ~(1U << view->seat));
        if (!restore_viewer_decisions(state, view, &made)) {
            return false;
        }
    }
    int before = (int)((view->round - 1U) * suppose_count_moves_in_round(view->seats));
    int arranged = view->step - before - made;
    if (arranged < 0 || arranged > bits_count(undecided)) {
        return false;
    }
    for (; arranged > 0; arranged--) {
        uint8_t seat = quick_random_draw_bit(random, undecided);
        undecided = (uint8_t)(undecided & ~(1U << seat));
        state->arranged[seat] = draw_random_colour_order(state, seat, random);
    }
    table->to_act = view->to_act;
    return true;
}

/* After the hands are passed: chooses everybody's decisions at random, except the viewer's own,
 * which are in the view. */
static bool choose_random_decisions(struct suppose *state, const struct game_view *view,
                                    struct quick_random *random)
{
    uint8_t seats = view->seats;
    for (uint8_t seat = 0; seat < seats; seat++) {
        state->predicted[seat] = draw_random_prediction(random);
        state->arranged[seat] = SUPPOSE_NONE;
    }
    if (view->phase == PHASE_OVER) {
        memcpy(state->predicted, state->last_predicted, sizeof(state->predicted));
    }
    if (view->seat == SPECTATOR) {
        return true;
    }
    state->arranged[view->seat] = suppose_known(view)->arranged;
    state->predicted[view->seat] = suppose_known(view)->prediction;
    return state->arranged[view->seat] != SUPPOSE_NONE &&
           state->predicted[view->seat] != SUPPOSE_NONE;
}

/* Rebuilds the state of a round whose hands have been passed. */
static bool restore_state_after_pass(struct suppose *state, const struct game_view *view,
                                     struct quick_random *random)
{
    struct sampling sampling FILLED_LATER;
    sampling.view = view;
    sampling.random = random;
    struct sample_pool pool = {.deck = &suppose_deck};
    pool.count = suppose_list_cards(view->seats, pool.cards);
    uint8_t own = view->seat == SPECTATOR ? SUPPOSE_NONE : (uint8_t)view->seat;
    if (!choose_random_decisions(state, view, random) ||
        !fill_hands(&sampling, own == SUPPOSE_NONE ? SUPPOSE_NONE : state->arranged[own])) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        uint8_t arranger = (uint8_t)((seat + view->seats - 1) % view->seats);
        uint8_t cards[SUPPOSE_SLOTS];
        for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
            cards[slot] = sample_take_card(&pool, sampling.faces[seat][slot]);
        }
        suppose_give_arranged_hand(state, seat, cards);
        state->arranged[arranger] = arranger == own
                                        ? state->arranged[own]
                                        : find_colour_order_of_hand(sampling.faces[seat]);
    }
    state->table.phase = SUPPOSE_PLAY;
    table_set_lead(&state->table, state->table.leads[0]);
    return sample_replay_plays(view, &state->table);
}

/* Reads the predictions of the last scored round; there are none before the first score. */
static bool read_last_predictions(struct suppose *state, const struct game_view *view)
{
    const uint8_t *predictions = suppose_known(view)->last_predictions;
    bool has_score = view->round > 1 || view->phase == PHASE_OVER;
    uint8_t seat = 0;
    for (; predictions[seat] != SUPPOSE_NONE; seat++) {
        state->last_predicted[seat] = predictions[seat];
    }
    return seat == (has_score ? view->seats : 0);
}

/* Reads the number of the round, its first leader and the predictions of the previous round. False
 * when the view is invalid. */
static bool read_round(struct suppose *state, const struct game_view *view)
{
    uint8_t start = suppose_known(view)->start;
    if (view->slot_count[0] != SUPPOSE_SLOTS || start >= view->seats) {
        return false;
    }
    table_begin_round(&state->table, view->round, SUPPOSE_SLOTS);
    state->table.leads[0] = start;
    memset(state->arranged, SUPPOSE_NONE, sizeof(state->arranged));
    memset(state->predicted, SUPPOSE_NONE, sizeof(state->predicted));
    return read_last_predictions(state, view);
}

bool suppose_sample_state(const struct game_view *view, struct quick_random *random,
                          void *state_bytes)
{
    struct suppose *state = state_bytes;
    return read_round(state, view) &&
           (view->phase == SUPPOSE_PREPARE ? restore_state_before_pass(state, view, random)
                                           : restore_state_after_pass(state, view, random));
}
