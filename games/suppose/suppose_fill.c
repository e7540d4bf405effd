#include "games/suppose/suppose_fill.h"

#include "games/card.h"

#include <string.h>

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
    static const float orders[SUPPOSE_COLOURS + 1] = {1, 1, 2, 6, 24};
    for (unsigned colours = 0; colours < 1U << SUPPOSE_COLOURS; colours++) {
        fill->ways[SUPPOSE_SLOTS][colours] = 1 / orders[bits_count(colours)];
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

void suppose_fill_count_ways(struct suppose_fill *fill, const struct game_view *view, uint8_t seat,
                             const uint8_t unseen[SUPPOSE_FACES])
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

bool suppose_fill_draw_hand(const struct suppose_fill *fill, struct quick_random *random,
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
