#include "games/hidden.h"

#include "games/card.h"
#include "games/macros.h"

#include <assert.h>
#include <string.h>

#define MIXING_SWAPS 4 /* swaps tried per card */
#define POSITION_NONE 0xFF

/* The cards to shuffle: card i lies in group groups[i]. */
struct hidden_layout {
    uint8_t *cards;
    const uint8_t *groups;
    uint8_t count;
    const struct card_set *bans; /* bans[group]: the cards that are banned from this group; NULL for
                                    bans on suits */
    uint8_t group_count;
};

static bool card_may_lie_in_group(const struct hidden_layout *layout, uint8_t card, uint8_t group)
{
    return !card_set_has(&layout->bans[group], card);
}

static void swap_cards(const struct hidden_layout *layout, uint8_t position, uint8_t other_position)
{
    uint8_t card = layout->cards[position];
    layout->cards[position] = layout->cards[other_position];
    layout->cards[other_position] = card;
}

static void shuffle(const struct hidden_layout *layout, struct quick_random *random)
{
    for (uint8_t i = layout->count; i-- > 1;) {
        swap_cards(layout, i, (uint8_t)quick_random_draw_below(random, i + 1U));
    }
}

/* The search for a cycle of cards. giver[g] is the position of a card that can go to group g. */
struct hidden_search {
    uint8_t giver[HIDDEN_SETS_MAX];
    uint8_t queue[HIDDEN_SETS_MAX];
    uint8_t queued;
};

/* Offers the card at a position to every group the search has not reached yet. */
static void offer_card_to_unreached_groups(const struct hidden_layout *layout,
                                           struct hidden_search *search, uint8_t position)
{
    for (uint8_t group = 0; group < layout->group_count; group++) {
        if (search->giver[group] == POSITION_NONE &&
            card_may_lie_in_group(layout, layout->cards[position], group)) {
            search->giver[group] = position;
            search->queue[search->queued++] = group;
        }
    }
}

/* Offers every card of a group to the groups the search has not reached yet. */
static void offer_cards_of_group(const struct hidden_layout *layout, struct hidden_search *search,
                                 uint8_t group)
{
    for (uint8_t i = 0; i < layout->count; i++) {
        if (layout->groups[i] == group) {
            offer_card_to_unreached_groups(layout, search, i);
        }
    }
}

/* Moves a card away from a group where it is banned. Finds the shortest cycle of cards in which
 * each card moves to a group that allows it and the last one takes the place of the first. Such a
 * cycle exists whenever any arrangement obeys the bans, because the difference between two
 * arrangements consists of cycles. */
static bool move_card_to_allowed_group(const struct hidden_layout *layout, uint8_t position)
{
    struct hidden_search search = {.queued = 0};
    uint8_t home = layout->groups[position];
    memset(search.giver, POSITION_NONE, sizeof(search.giver));
    offer_card_to_unreached_groups(layout, &search, position);
    for (uint8_t next = 0; next < search.queued && search.giver[home] == POSITION_NONE; next++) {
        offer_cards_of_group(layout, &search, search.queue[next]);
    }
    if (search.giver[home] == POSITION_NONE) {
        return false;
    }
    /* Walk back along the cycle: the misplaced card moves on, and each giver's card takes the freed
     * place. */
    uint8_t hole = position;
    for (uint8_t at = search.giver[home]; at != position; at = search.giver[layout->groups[at]]) {
        swap_cards(layout, hole, at);
        hole = at;
    }
    return true;
}

static bool any_group_has_card_bans(const struct card_set *bans, uint8_t group_count)
{
    uint64_t any = 0;
    for (uint8_t group = 0; group < group_count; group++) {
        any |= bans[group].bits[0] | bans[group].bits[1];
    }
    return any != 0;
}

bool hidden_shuffle_with_card_bans(uint8_t *cards, const uint8_t *groups, uint8_t count,
                                   const struct card_set *bans, uint8_t group_count,
                                   struct quick_random *random)
{
    const struct hidden_layout layout = {cards, groups, count, bans, group_count};
    assert(count <= HIDDEN_CARDS_MAX && group_count <= HIDDEN_SETS_MAX);
    shuffle(&layout, random);
    bool has_bans = any_group_has_card_bans(bans, group_count);
    for (uint8_t i = 0; has_bans && i < count; i++) {
        if (!card_may_lie_in_group(&layout, cards[i], groups[i]) &&
            !move_card_to_allowed_group(&layout, i)) {
            return false;
        }
    }
    /* Moving banned cards away makes some arrangements likelier than others. Random swaps that obey
     * the bans even this out. */
    for (unsigned i = 0; has_bans && i < MIXING_SWAPS * (unsigned)count; i++) {
        uint8_t a = (uint8_t)quick_random_draw_below(random, count);
        uint8_t b = (uint8_t)quick_random_draw_below(random, count);
        if (card_may_lie_in_group(&layout, cards[a], groups[b]) &&
            card_may_lie_in_group(&layout, cards[b], groups[a])) {
            swap_cards(&layout, a, b);
        }
    }
    return true;
}

/*
 * How hidden_shuffle_with_suit_bans distributes the cards.
 *
 * hidden_shuffle_with_suit_bans deals unseen cards to groups, which are hands or the undealt cards.
 * Some suits are banned from some groups. A kind is a set of cards that are banned from the same
 * groups. Groups with the same bans are treated as one group.
 *
 * First we draw how many cards of each kind go to each group. The chance of these counts is in
 * proportion to the number of arrangements that have them. Then plain shuffling decides which card
 * of a kind goes to which place.
 *
 * There are n! / (k1! k2! …) ways to divide n cards of a kind so that the groups get k1, k2, … of
 * them. n! does not depend on the counts, so the weight of a table of counts is the product of all
 * 1 / k!. The weights are summed row by row, from the last row to the first.
 *
 * Either the rows of the table are kinds and its columns are groups, or the rows are groups and the
 * columns are kinds, whichever needs fewer states. A state says how many places are still free in
 * every column. It leaves out the largest column, which follows from the others.
 */

#define KINDS_MAX 8 /* greatest number of kinds, and of rows and columns of the table */
#define STATES_MAX 32768

_Static_assert(HIDDEN_GROUPS_MAX <= KINDS_MAX, "the table has a column for every group");

/* How many cards each kind has, and how many places each group has. A kind is a set of cards that
 * are banned from the same groups; the cards without a suit are in the last kind. */
struct hidden_kinds {
    uint8_t kinds, groups;
    uint8_t kind_size[KINDS_MAX], group_size[KINDS_MAX];
    uint8_t banned[KINDS_MAX];  /* banned[kind], bit g: no card of this kind may go to group g */
    uint8_t bans[KINDS_MAX];    /* bans[group], bit s: no card of suit s may go to this group */
    uint8_t kind_of[KINDS_MAX]; /* kind_of[suit]: the kind of this suit's cards */
    uint8_t group_of[HIDDEN_GROUPS_MAX];
};

struct weight_table {
    uint8_t row_count, column_count;
    uint8_t source[KINDS_MAX]; /* source[row]: the kind or group that this row stands for */
    uint8_t row_size[KINDS_MAX];
    uint8_t column_size[KINDS_MAX];
    uint8_t allowed[KINDS_MAX]; /* allowed[row], bit b: column b may take cards of this row */
    uint8_t largest; /* the largest column; its free places follow from the other columns */
    uint8_t cards_from[KINDS_MAX + 1]; /* the number of cards in this row and all later rows */
    uint32_t stride[KINDS_MAX];
    uint32_t states;
    double inverse[HIDDEN_CARDS_MAX + 1]; /* 1 / k! */
    /* For each row and state: the summed weight of this row and all later rows. The first row is
     * not stored, because it has only one state; neither is the last row, which fills all free
     * places. */
    double weight[STATES_MAX];
};

typedef uint8_t column_counts[KINDS_MAX];

/* A split: how many cards of one row go to each column. */
struct split {
    column_counts part;
    /* The columns whose counts go up like the digits of an odometer. */
    uint8_t turning[KINDS_MAX];
    uint8_t turning_count;
    uint8_t rest; /* the column that takes the remaining cards */
    uint8_t given;
};

static struct split make_first_split(const struct weight_table *table, uint8_t row)
{
    struct split split = {.rest = bits_index_of_lowest(table->allowed[row] | 1U << KINDS_MAX)};
    if ((table->allowed[row] >> table->largest & 1) != 0) {
        split.rest = table->largest;
    }
    for (uint8_t column = 0; column < table->column_count; column++) {
        if ((table->allowed[row] >> column & 1) != 0 && column != split.rest) {
            split.turning[split.turning_count++] = column;
        }
    }
    return split;
}

/* Goes to the next split that fits the free places of each column. The column that takes the
 * remaining cards is not checked. False after the last split. */
static bool go_to_next_split(struct split *split, uint8_t size, const column_counts free_places)
{
    for (uint8_t i = 0; i < split->turning_count; i++) {
        uint8_t *part = &split->part[split->turning[i]];
        if (*part < free_places[split->turning[i]] && split->given < size) {
            ++*part;
            split->given++;
            return true;
        }
        split->given = (uint8_t)(split->given - *part);
        *part = 0;
    }
    return false;
}

/* Reads from a state's number how many places are free in each column before the row is filled.
 * False when no split leads to this state. */
static bool read_free_places(const struct weight_table *table, uint8_t row, uint32_t state,
                             column_counts free_places)
{
    int rest = table->cards_from[row];
    memset(free_places, 0, sizeof(column_counts));
    for (uint8_t column = 0; column < table->column_count; column++) {
        free_places[column] =
            (uint8_t)(column == table->largest
                          ? 0
                          : state / table->stride[column] % (table->column_size[column] + 1U));
        rest -= free_places[column];
    }
    free_places[table->largest] = (uint8_t)(rest < 0 ? 0 : rest);
    return rest >= 0 && rest <= table->column_size[table->largest];
}

/* The summed weight of the row and all later rows, given the free places of each column. The row is
 * not the first row. */
static double weigh_remaining_rows(const struct weight_table *table, uint8_t row,
                                   const column_counts free_places)
{
    double weight = 1;
    uint32_t state = 0;
    for (uint8_t column = 0; column < table->column_count; column++) {
        bool is_allowed = free_places[column] == 0 || (table->allowed[row] >> column & 1) != 0;
        weight *= is_allowed ? table->inverse[free_places[column]] : 0;
        state += table->stride[column] * free_places[column];
    }
    return row == table->row_count - 1 ? weight : table->weight[(row - 1U) * table->states + state];
}

/* The weight of a split of the row, multiplied by the summed weight of all later rows. */
static double weigh_split(const struct weight_table *table, uint8_t row, struct split *split,
                          const column_counts free_places)
{
    uint8_t rest = (uint8_t)(table->row_size[row] - split->given);
    if (split->rest >= table->column_count || rest > free_places[split->rest]) {
        return 0;
    }
    double weight = 1;
    column_counts next;
    split->part[split->rest] = rest;
    for (uint8_t column = 0; column < table->column_count; column++) {
        weight *= table->inverse[split->part[column]];
        next[column] = (uint8_t)(free_places[column] - split->part[column]);
    }
    return weight * weigh_remaining_rows(table, (uint8_t)(row + 1), next);
}

/* Sums the weights of all splits of a row. Also chooses one of these splits at random when `random`
 * is not NULL. */
static double weigh_row(const struct weight_table *table, uint8_t row,
                        const column_counts free_places, struct quick_random *random,
                        column_counts drawn)
{
    double sum = 0;
    struct split split = make_first_split(table, row);
    do {
        double weight = weigh_split(table, row, &split, free_places);
        sum += weight;
        if (weight > 0 && random != NULL &&
            (double)(quick_random_next(random) >> 11) * 0x1p-53 * sum < weight) {
            memcpy(drawn, split.part, sizeof(split.part));
        }
    } while (go_to_next_split(&split, table->row_size[row], free_places));
    return sum;
}

static void fill_weight_table(struct weight_table *table)
{
    table->inverse[0] = 1;
    for (uint8_t i = 1; i <= table->cards_from[0]; i++) {
        table->inverse[i] = table->inverse[i - 1] / i;
    }
    for (int row = table->row_count - 2; row > 0; row--) {
        for (uint32_t state = 0; state < table->states; state++) {
            column_counts free_places;
            bool is_possible = read_free_places(table, (uint8_t)row, state, free_places);
            table->weight[(uint32_t)(row - 1) * table->states + state] =
                is_possible ? weigh_row(table, (uint8_t)row, free_places, NULL, NULL) : 0;
        }
    }
}

/* Puts last the row whose cards may go to the most columns, because the last row needs no sums. */
static void put_widest_row_last(struct weight_table *table)
{
    uint8_t widest = 0;
    for (uint8_t row = 0; row < table->row_count; row++) {
        table->source[row] = row;
        if (bits_count(table->allowed[row]) >= bits_count(table->allowed[widest])) {
            widest = row;
        }
    }
    uint8_t last = (uint8_t)(table->row_count - 1);
    uint8_t size = table->row_size[last];
    uint8_t allowed = table->allowed[last];
    table->source[last] = widest;
    table->source[widest] = last;
    table->row_size[last] = table->row_size[widest];
    table->allowed[last] = table->allowed[widest];
    table->row_size[widest] = size;
    table->allowed[widest] = allowed;
}

/* Gives every state a number, based on the sizes of the rows and columns. */
static void assign_state_numbers(struct weight_table *table)
{
    put_widest_row_last(table);
    table->largest = 0;
    for (uint8_t column = 0; column < table->column_count; column++) {
        table->largest = table->column_size[column] > table->column_size[table->largest]
                             ? column
                             : table->largest;
    }
    table->states = 1;
    for (uint8_t column = 0; column < table->column_count; column++) {
        bool is_counted = column != table->largest;
        table->stride[column] = is_counted ? table->states : 0;
        table->states *= is_counted ? table->column_size[column] + 1U : 1;
        table->states = table->states > STATES_MAX ? STATES_MAX + 1 : table->states;
    }
    table->cards_from[table->row_count] = 0;
    for (uint8_t row = table->row_count; row-- > 0;) {
        table->cards_from[row] = (uint8_t)(table->cards_from[row + 1] + table->row_size[row]);
    }
}

static uint32_t count_weights_to_store(const struct weight_table *table)
{
    return table->row_count < 3 ? 0 : table->states * (table->row_count - 2U);
}

/* Makes the groups the rows and the kinds the columns of the table, or the reverse. */
static void arrange_rows_and_columns(struct weight_table *table, const struct hidden_kinds *kinds,
                                     bool groups_are_rows)
{
    table->row_count = groups_are_rows ? kinds->groups : kinds->kinds;
    table->column_count = groups_are_rows ? kinds->kinds : kinds->groups;
    memcpy(table->row_size, groups_are_rows ? kinds->group_size : kinds->kind_size,
           sizeof(table->row_size));
    memcpy(table->column_size, groups_are_rows ? kinds->kind_size : kinds->group_size,
           sizeof(table->column_size));
    memset(table->allowed, 0, sizeof(table->allowed));
    for (uint8_t i = 0; i < kinds->kinds * kinds->groups; i++) {
        uint8_t kind = i / kinds->groups;
        uint8_t group = i % kinds->groups;
        uint8_t row = groups_are_rows ? group : kind;
        unsigned may = (kinds->banned[kind] >> group & 1) == 0;
        table->allowed[row] =
            (uint8_t)(table->allowed[row] | may << (groups_are_rows ? kind : group));
    }
    assign_state_numbers(table);
}

/* The index of these bans in the list; adds them to the list when they are missing. */
static uint8_t find_or_add_bans(uint8_t list[KINDS_MAX], uint8_t *length, uint8_t bans)
{
    uint8_t i = 0;
    while (i < *length && list[i] != bans) {
        i++;
    }
    if (i == *length) {
        list[(*length)++] = bans;
    }
    return i;
}

/* Merges groups that have the same bans among the suits in use. */
static void merge_groups(struct hidden_kinds *kinds, const uint8_t *groups, uint8_t count,
                         const uint8_t bans[HIDDEN_GROUPS_MAX], uint8_t suits)
{
    uint8_t list[KINDS_MAX];
    uint8_t places[HIDDEN_GROUPS_MAX] = {0};
    for (uint8_t i = 0; i < count; i++) {
        places[groups[i]]++;
    }
    for (uint8_t group = 0; group < HIDDEN_GROUPS_MAX; group++) {
        if (places[group] > 0) {
            uint8_t at = find_or_add_bans(list, &kinds->groups, bans[group] & suits);
            kinds->group_of[group] = at;
            kinds->group_size[at] = (uint8_t)(kinds->group_size[at] + places[group]);
            kinds->bans[at] = list[at];
        }
    }
}

static uint8_t suit_index(const struct deck_def *deck, uint8_t card)
{
    uint8_t suit = card_suit(deck, card);
    return suit == SUIT_NONE ? deck->suit_count : suit;
}

static void sort_cards_into_kinds(struct hidden_kinds *kinds, const struct deck_def *deck,
                                  const uint8_t *cards, const uint8_t *groups, uint8_t count,
                                  const uint8_t bans[HIDDEN_GROUPS_MAX])
{
    uint8_t of_suit[KINDS_MAX] = {0};
    unsigned suits = 0;
    for (uint8_t i = 0; i < count; i++) {
        uint8_t suit = suit_index(deck, cards[i]);
        of_suit[suit]++;
        suits |= 1U << suit;
    }
    merge_groups(kinds, groups, count, bans, (uint8_t)suits);
    for (uint8_t suit = 0; suit <= deck->suit_count; suit++) {
        unsigned banned = 0;
        for (uint8_t group = 0; group < kinds->groups; group++) {
            banned |= (unsigned)(kinds->bans[group] >> suit & 1) << group;
        }
        if (of_suit[suit] > 0) {
            uint8_t kind = find_or_add_bans(kinds->banned, &kinds->kinds, (uint8_t)banned);
            kinds->kind_of[suit] = kind;
            kinds->kind_size[kind] = (uint8_t)(kinds->kind_size[kind] + of_suit[suit]);
        }
    }
}

/* How many cards of each kind lie in each group: numbers[kind][group]. */
typedef uint8_t hidden_numbers[KINDS_MAX][KINDS_MAX];

/* Chooses at random how many cards of each kind go to each group. False when no arrangement obeys
 * the bans. */
static bool choose_random_card_counts(const struct weight_table *table, bool groups_are_rows,
                                      struct quick_random *random, hidden_numbers numbers)
{
    column_counts free_places;
    memcpy(free_places, table->column_size, sizeof(free_places));
    for (uint8_t row = 0; row < table->row_count; row++) {
        bool is_last = row == table->row_count - 1;
        column_counts drawn;
        memcpy(drawn, free_places, sizeof(drawn));
        double weight = is_last ? weigh_remaining_rows(table, row, free_places)
                                : weigh_row(table, row, free_places, random, drawn);
        if (weight <= 0) {
            return false;
        }
        for (uint8_t column = 0; column < table->column_count; column++) {
            uint8_t *number = groups_are_rows ? &numbers[column][table->source[row]]
                                              : &numbers[table->source[row]][column];
            *number = drawn[column];
            free_places[column] = (uint8_t)(free_places[column] - drawn[column]);
        }
    }
    return true;
}

/* Shuffles the cards, then puts a card on each place. The card is of a kind that the place's group
 * still needs. */
static void place_cards(const struct hidden_kinds *kinds, const struct deck_def *deck,
                        hidden_numbers numbers, struct hidden_layout *layout,
                        struct quick_random *random)
{
    uint8_t sorted[HIDDEN_CARDS_MAX];
    uint8_t next[KINDS_MAX] = {0};
    uint8_t room[KINDS_MAX];
    memcpy(room, kinds->group_size, sizeof(room));
    for (uint8_t kind = 1; kind < kinds->kinds; kind++) {
        next[kind] = (uint8_t)(next[kind - 1] + kinds->kind_size[kind - 1]);
    }
    for (uint8_t i = 0; i < layout->count; i++) {
        sorted[next[kinds->kind_of[suit_index(deck, layout->cards[i])]]++] = layout->cards[i];
    }
    for (uint8_t i = 0; i < layout->count; i++) {
        uint8_t group = kinds->group_of[layout->groups[i]];
        uint8_t kind = 0;
        uint32_t pick = quick_random_draw_below(random, room[group]--);
        while (pick >= numbers[kind][group]) {
            pick -= numbers[kind++][group];
        }
        numbers[kind][group]--;
        layout->cards[i] = sorted[--next[kind]];
    }
}

static bool any_group_has_bans(const struct hidden_kinds *kinds)
{
    uint8_t any = 0;
    for (uint8_t group = 0; group < kinds->groups; group++) {
        any = (uint8_t)(any | kinds->bans[group]);
    }
    return any != 0;
}

static void ban_suit(const struct deck_def *deck, uint8_t suit, struct card_set *bans)
{
    uint8_t first = card_of(deck, suit, deck->value_first);
    for (uint8_t card = first; card < first + deck->value_count; card++) {
        card_set_add(bans, card);
    }
}

/* Shuffles the cards without counting states, when there are too many states. That takes at least
 * five hands of unseen cards and four suits that different hands lack; no player's view has so
 * many. */
static bool shuffle_without_counting_states(const struct deck_def *deck,
                                            const struct hidden_layout *layout,
                                            const uint8_t bans[HIDDEN_GROUPS_MAX],
                                            struct quick_random *random)
{
    struct card_set sets[HIDDEN_GROUPS_MAX] = {0};
    for (uint8_t group = 0; group < HIDDEN_GROUPS_MAX; group++) {
        for (uint8_t suits = bans[group]; suits != 0; suits &= (uint8_t)(suits - 1)) {
            ban_suit(deck, bits_index_of_lowest(suits), &sets[group]);
        }
    }
    return hidden_shuffle_with_card_bans(layout->cards, layout->groups, layout->count, sets,
                                         HIDDEN_GROUPS_MAX, random);
}

bool hidden_shuffle_with_suit_bans(const struct deck_def *deck, uint8_t *cards,
                                   const uint8_t *groups, uint8_t count,
                                   const uint8_t bans[HIDDEN_GROUPS_MAX],
                                   struct quick_random *random)
{
    assert(count <= HIDDEN_CARDS_MAX && deck->suit_count < KINDS_MAX);
    struct hidden_kinds kinds = {0};
    struct hidden_layout layout = {.cards = cards, .groups = groups, .count = count};
    shuffle(&layout, random);
    sort_cards_into_kinds(&kinds, deck, cards, groups, count, bans);
    if (!any_group_has_bans(&kinds)) {
        return true;
    }
    struct weight_table table FILLED_LATER;
    hidden_numbers numbers = {{0}};
    arrange_rows_and_columns(&table, &kinds, true);
    uint32_t cells = count_weights_to_store(&table);
    arrange_rows_and_columns(&table, &kinds, false);
    bool groups_are_rows = cells < count_weights_to_store(&table);
    if (groups_are_rows) {
        arrange_rows_and_columns(&table, &kinds, true);
    }
    if (count_weights_to_store(&table) > STATES_MAX) {
        return shuffle_without_counting_states(deck, &layout, bans, random);
    }
    fill_weight_table(&table);
    if (!choose_random_card_counts(&table, groups_are_rows, random, numbers)) {
        return false;
    }
    place_cards(&kinds, deck, numbers, &layout, random);
    return true;
}

#define UNDEALT (HIDDEN_GROUPS_MAX - 1)

/* Returns the round's trick number `index`. The current trick comes after the finished ones. */
static const struct view_trick *get_trick(const struct game_view *view, uint8_t index)
{
    return index < view->past_count ? &view->past[index] : &view->trick;
}

static bool trick_is_well_formed(const struct game_view *view, const struct view_trick *trick)
{
    unsigned seats = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        const struct view_play *play = &trick->plays[i];
        if (play->seat >= view->seats || (seats >> play->seat & 1) != 0 ||
            play->card >= card_count(view->game->deck)) {
            return false;
        }
        seats |= 1U << play->seat;
    }
    return true;
}

/* Whether the trick's cards were played from slots of the hands. The slots of a trick of this round
 * must be empty now. Always true for a view without slots. */
static bool slots_are_well_formed(const struct game_view *view, const struct view_trick *trick,
                                  bool is_of_round)
{
    for (uint8_t i = 0; i < trick->count && view_tells_slots(view); i++) {
        const struct view_play *play = &trick->plays[i];
        if (play->slot >= view->slot_count[play->seat] ||
            (is_of_round && !view->hands[play->seat][play->slot].is_empty)) {
            return false;
        }
    }
    return true;
}

static bool hand_is_well_formed(const struct game_view *view, uint8_t seat)
{
    if (view->slot_count[seat] > SLOTS_MAX || view->slot_count[seat] != view->slot_count[0]) {
        return false;
    }
    uint8_t gaps = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        gaps = (uint8_t)(gaps + slot->is_empty);
        if (slot->card != CARD_NONE && slot->card >= card_count(view->game->deck)) {
            return false;
        }
    }
    struct view_play play;
    uint8_t played = 0;
    unsigned played_slots = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        played = (uint8_t)(played + (play.seat == seat));
        played_slots |= play.seat == seat && view_tells_slots(view) ? 1U << play.slot : 0;
    }
    return played == gaps && (!view_tells_slots(view) || bits_count(played_slots) == gaps);
}

bool sample_view_is_well_formed(const struct game_view *view)
{
    if (view->seats == 0 || view->seats > SEATS_MAX || view->seat >= view->seats ||
        view->past_count > TRICKS_MAX || view->trick.count >= view->seats) {
        return false;
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        if (view->past[i].count != view->seats || view->past[i].winner >= view->seats) {
            return false;
        }
    }
    for (uint8_t i = 0; i <= view->past_count; i++) {
        const struct view_trick *trick = get_trick(view, i);
        if (!trick_is_well_formed(view, trick) || !slots_are_well_formed(view, trick, true)) {
            return false;
        }
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!hand_is_well_formed(view, seat)) {
            return false;
        }
    }
    return !view->has_last_trick ||
           (view->last_trick.count == view->seats && view->last_trick.winner < view->seats &&
            trick_is_well_formed(view, &view->last_trick) &&
            slots_are_well_formed(view, &view->last_trick, false));
}

static void record_void_suits_of_trick(const struct view_trick *trick, struct sample_pool *pool)
{
    uint8_t led = trick->count == 0 ? SUIT_NONE : card_suit(pool->deck, trick->plays[0].card);
    for (uint8_t i = 1; i < trick->count && led != SUIT_NONE; i++) {
        uint8_t suit = card_suit(pool->deck, trick->plays[i].card);
        if (suit != led && suit != SUIT_NONE) {
            uint8_t *bans = &pool->bans[trick->plays[i].seat];
            *bans = (uint8_t)(*bans | 1U << led);
        }
    }
}

void sample_record_void_suits(const struct game_view *view, struct sample_pool *pool)
{
    for (uint8_t i = 0; i <= view->past_count; i++) {
        record_void_suits_of_trick(get_trick(view, i), pool);
    }
}

uint8_t sample_take_card(struct sample_pool *pool, uint8_t card)
{
    for (uint8_t i = 0; i < pool->count; i++) {
        uint8_t taken = pool->cards[i];
        if (card_number_without_copy(pool->deck, taken) == card) {
            pool->cards[i] = pool->cards[--pool->count];
            return taken;
        }
    }
    return CARD_NONE;
}

typedef uint8_t sample_hands[SEATS_MAX][SLOTS_MAX];

/* Puts each played card into a slot from which its player has played; of several such slots, into
 * the first that is still free. */
static bool place_played_cards(const struct game_view *view, struct sample_pool *pool,
                               sample_hands hands)
{
    uint8_t gap[SEATS_MAX] = {0};
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        uint8_t *slot = &gap[play.seat];
        while (!view->hands[play.seat][*slot].is_empty) {
            (*slot)++;
        }
        uint8_t taken = sample_take_card(pool, play.card);
        hands[play.seat][(*slot)++] = taken;
        if (taken == CARD_NONE) {
            return false;
        }
    }
    return true;
}

/* Finds the cards of a hand that the viewer sees, and puts them into their slots. */
static bool place_seen_cards(const struct game_view *view, uint8_t seat, struct sample_pool *pool,
                             sample_hands hands)
{
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        if (slot->is_empty || slot->card == CARD_NONE) {
            continue;
        }
        hands[seat][i] = sample_take_card(pool, slot->card);
        if (hands[seat][i] == CARD_NONE) {
            return false;
        }
    }
    return true;
}

/* The slots whose card the viewer does not know. */
struct unknown_slots {
    uint8_t *at[HIDDEN_CARDS_MAX];
    uint8_t groups[HIDDEN_CARDS_MAX]; /* the seat that holds each slot; UNDEALT in entries from
                                         `count` on, which stand for undealt cards */
    uint8_t count;
};

static void list_unknown_slots(uint8_t seat, uint8_t slot_count, sample_hands hands,
                               struct unknown_slots *unknown)
{
    for (uint8_t i = 0; i < slot_count && unknown->count < HIDDEN_CARDS_MAX; i++) {
        if (hands[seat][i] == CARD_NONE) {
            unknown->groups[unknown->count] = seat;
            unknown->at[unknown->count++] = &hands[seat][i];
        }
    }
}

bool sample_deal_hands(const struct game_view *view, struct sample_pool *pool,
                       struct quick_random *random, struct table_state *table)
{
    sample_hands hands;
    struct unknown_slots unknown = {.count = 0};
    memset(hands, CARD_NONE, sizeof(hands));
    memset(unknown.groups, UNDEALT, sizeof(unknown.groups));
    bool is_possible = place_played_cards(view, pool, hands);
    for (uint8_t seat = 0; seat < view->seats && is_possible; seat++) {
        is_possible = place_seen_cards(view, seat, pool, hands);
        list_unknown_slots(seat, view->slot_count[seat], hands, &unknown);
    }
    if (!is_possible || unknown.count > pool->count ||
        !hidden_shuffle_with_suit_bans(pool->deck, pool->cards, unknown.groups, pool->count,
                                       pool->bans, random)) {
        return false;
    }
    for (uint8_t i = 0; i < unknown.count; i++) {
        *unknown.at[i] = pool->cards[i];
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        table_give_hand(table, seat, hands[seat], view->slot_count[seat]);
    }
    return true;
}

bool sample_read_play(const struct game_view *view, uint8_t index, struct view_play *play)
{
    uint8_t in_trick = index % view->seats;
    uint8_t trick = index / view->seats;
    if (trick > view->past_count || in_trick >= get_trick(view, trick)->count) {
        return false;
    }
    *play = get_trick(view, trick)->plays[in_trick];
    return true;
}

bool sample_replay_plays(const struct game_view *view, struct table_state *table)
{
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        uint8_t move = view_tells_slots(view) ? play.slot : play.card;
        if (i < table->play_count
                ? table->plays[i] != play.card
                : game_try_move(view->game, table, play.seat, move, NULL) != GAME_OK) {
            return false;
        }
    }
    return true;
}
