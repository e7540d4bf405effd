#include "games/hidden.h"
#include "games/hidden_sets.h"

#include "games/bits.h"
#include "games/macros.h"

#include <assert.h>
#include <string.h>

/*
 * How hidden_shuffle draws.
 *
 * hidden_shuffle deals unseen cards to groups, which are hands or the undealt cards. Some suits are
 * banned from some groups. A kind is a set of cards that are banned from the same groups. Groups
 * with the same bans are treated as one group.
 *
 * First we draw how many cards of each kind go to each group. The chance of these counts is in
 * proportion to the number of arrangements that have them. Then plain shuffling decides which card
 * of a kind goes to which place.
 *
 * There are n! / (k1! k2! …) ways to divide n cards of a kind so that the groups get k1, k2, … of
 * them. n! does not depend on the counts, so the weight of a table of counts is the product of all
 * 1 / k!. The weights are summed line by line, from the last line to the first.
 *
 * Either the lines of the table are kinds and its bins are groups, or the lines are groups and the
 * bins are kinds, whichever needs fewer states. A state is the room left in every bin except the
 * largest, whose room follows from the others.
 */

#define KINDS_MAX 8 /* the greatest number of lines, and of bins */
#define STATES_MAX 32768

_Static_assert(HIDDEN_GROUPS_MAX <= KINDS_MAX, "a bin for every group");

/* The cards to shuffle: card i lies in group groups[i]. */
struct hidden_layout {
    uint8_t *cards;
    const uint8_t *groups;
    uint8_t count;
};

/* The number of cards by kind, and of places by group. The last kind holds the cards without a
 * suit. */
struct hidden_kinds {
    uint8_t kinds, groups;
    uint8_t kind_size[KINDS_MAX], group_size[KINDS_MAX];
    uint8_t banned[KINDS_MAX];  /* by kind; bit g: the kind is banned from group g */
    uint8_t bans[KINDS_MAX];    /* by group; bit s: suit s is banned from the group */
    uint8_t kind_of[KINDS_MAX]; /* the kind of each suit */
    uint8_t group_of[HIDDEN_GROUPS_MAX];
};

struct count {
    uint8_t lines, bins;
    uint8_t number[KINDS_MAX]; /* the kind or group that each line stands for */
    uint8_t size[KINDS_MAX];
    uint8_t room[KINDS_MAX];          /* the size of each bin */
    uint8_t allowed[KINDS_MAX];       /* by line; bit b: bin b may take cards of this line */
    uint8_t largest;                  /* the bin whose room follows from the other bins */
    uint8_t size_from[KINDS_MAX + 1]; /* the number of cards in this line and all later lines */
    uint32_t stride[KINDS_MAX];
    uint32_t states;
    double inverse[HIDDEN_CARDS_MAX + 1]; /* 1 / k! */
    /* By line and state: the summed weight of this line and all later lines. The first line is not
     * stored, because it has only one state; neither is the last line, which fills all room that is
     * left. */
    double weight[STATES_MAX];
};

typedef uint8_t count_bins[KINDS_MAX];

/* A split: how many cards of one line go to each bin. */
struct split {
    count_bins part;
    uint8_t
        turning[KINDS_MAX]; /* the bins whose parts are counted up like the digits of an odometer */
    uint8_t turning_count;
    uint8_t rest; /* the bin that takes the remaining cards */
    uint8_t given;
};

static struct split first_split(const struct count *count, uint8_t line)
{
    struct split split = {.rest = bits_index_of_lowest(count->allowed[line] | 1U << KINDS_MAX)};
    if ((count->allowed[line] >> count->largest & 1) != 0) {
        split.rest = count->largest;
    }
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        if ((count->allowed[line] >> bin & 1) != 0 && bin != split.rest) {
            split.turning[split.turning_count++] = bin;
        }
    }
    return split;
}

/* Goes to the next split for which every bin has room, apart from the bin that takes the rest.
 * False after the last split. */
static bool go_to_next_split(struct split *split, uint8_t size, const count_bins left)
{
    for (uint8_t i = 0; i < split->turning_count; i++) {
        uint8_t *part = &split->part[split->turning[i]];
        if (*part < left[split->turning[i]] && split->given < size) {
            ++*part;
            split->given++;
            return true;
        }
        split->given = (uint8_t)(split->given - *part);
        *part = 0;
    }
    return false;
}

/* Reads from a state's number the room in each bin before the line. False when no split leads to
 * this state. */
static bool read_room_left(const struct count *count, uint8_t line, uint32_t state, count_bins left)
{
    int rest = count->size_from[line];
    memset(left, 0, sizeof(count_bins));
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        left[bin] =
            (uint8_t)(bin == count->largest ? 0
                                            : state / count->stride[bin] % (count->room[bin] + 1U));
        rest -= left[bin];
    }
    left[count->largest] = (uint8_t)(rest < 0 ? 0 : rest);
    return rest >= 0 && rest <= count->room[count->largest];
}

/* The weight of the lines from `line` on, with this room left. `line` is not the first line. */
static double weigh_remaining_lines(const struct count *count, uint8_t line, const count_bins left)
{
    double weight = 1;
    uint32_t state = 0;
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        bool is_allowed = left[bin] == 0 || (count->allowed[line] >> bin & 1) != 0;
        weight *= is_allowed ? count->inverse[left[bin]] : 0;
        state += count->stride[bin] * left[bin];
    }
    return line == count->lines - 1 ? weight : count->weight[(line - 1U) * count->states + state];
}

/* The weight of a split of the line, multiplied by the weight of everything that can follow. */
static double weigh_split(const struct count *count, uint8_t line, struct split *split,
                          const count_bins left)
{
    uint8_t rest = (uint8_t)(count->size[line] - split->given);
    if (split->rest >= count->bins || rest > left[split->rest]) {
        return 0;
    }
    double weight = 1;
    count_bins next;
    split->part[split->rest] = rest;
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        weight *= count->inverse[split->part[bin]];
        next[bin] = (uint8_t)(left[bin] - split->part[bin]);
    }
    return weight * weigh_remaining_lines(count, (uint8_t)(line + 1), next);
}

/* Sums the weights of all splits of a line. Draws one of them when `random` is not NULL. */
static double weigh_line(const struct count *count, uint8_t line, const count_bins left,
                         struct quick_random *random, count_bins drawn)
{
    double sum = 0;
    struct split split = first_split(count, line);
    do {
        double weight = weigh_split(count, line, &split, left);
        sum += weight;
        if (weight > 0 && random != NULL &&
            (double)(quick_random_next(random) >> 11) * 0x1p-53 * sum < weight) {
            memcpy(drawn, split.part, sizeof(split.part));
        }
    } while (go_to_next_split(&split, count->size[line], left));
    return sum;
}

/* Fills the table of weights. */
static void fill_weights(struct count *count)
{
    count->inverse[0] = 1;
    for (uint8_t i = 1; i <= count->size_from[0]; i++) {
        count->inverse[i] = count->inverse[i - 1] / i;
    }
    for (int line = count->lines - 2; line > 0; line--) {
        for (uint32_t state = 0; state < count->states; state++) {
            count_bins left;
            bool is_possible = read_room_left(count, (uint8_t)line, state, left);
            count->weight[(uint32_t)(line - 1) * count->states + state] =
                is_possible ? weigh_line(count, (uint8_t)line, left, NULL, NULL) : 0;
        }
    }
}

/* The line that most bins can take comes last, because the last line needs no sums. */
static void put_widest_line_last(struct count *count)
{
    uint8_t widest = 0;
    for (uint8_t line = 0; line < count->lines; line++) {
        count->number[line] = line;
        if (bits_count(count->allowed[line]) >= bits_count(count->allowed[widest])) {
            widest = line;
        }
    }
    uint8_t last = (uint8_t)(count->lines - 1);
    uint8_t size = count->size[last];
    uint8_t allowed = count->allowed[last];
    count->number[last] = widest;
    count->number[widest] = last;
    count->size[last] = count->size[widest];
    count->allowed[last] = count->allowed[widest];
    count->size[widest] = size;
    count->allowed[widest] = allowed;
}

/* Numbers the states, given the sizes of the lines and bins. */
static void number_the_states(struct count *count)
{
    put_widest_line_last(count);
    count->largest = 0;
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        count->largest = count->room[bin] > count->room[count->largest] ? bin : count->largest;
    }
    count->states = 1;
    for (uint8_t bin = 0; bin < count->bins; bin++) {
        bool is_counted = bin != count->largest;
        count->stride[bin] = is_counted ? count->states : 0;
        count->states *= is_counted ? count->room[bin] + 1U : 1;
        count->states = count->states > STATES_MAX ? STATES_MAX + 1 : count->states;
    }
    count->size_from[count->lines] = 0;
    for (uint8_t line = count->lines; line-- > 0;) {
        count->size_from[line] = (uint8_t)(count->size_from[line + 1] + count->size[line]);
    }
}

/* The number of weights to sum. */
static uint32_t count_weights_to_store(const struct count *count)
{
    return count->lines < 3 ? 0 : count->states * (count->lines - 2U);
}

/* Makes the kinds the lines and the groups the bins, or the other way round. */
static void set_lines_and_bins(struct count *count, const struct hidden_kinds *kinds,
                               bool groups_are_lines)
{
    count->lines = groups_are_lines ? kinds->groups : kinds->kinds;
    count->bins = groups_are_lines ? kinds->kinds : kinds->groups;
    memcpy(count->size, groups_are_lines ? kinds->group_size : kinds->kind_size,
           sizeof(count->size));
    memcpy(count->room, groups_are_lines ? kinds->kind_size : kinds->group_size,
           sizeof(count->room));
    memset(count->allowed, 0, sizeof(count->allowed));
    for (uint8_t i = 0; i < kinds->kinds * kinds->groups; i++) {
        uint8_t kind = i / kinds->groups;
        uint8_t group = i % kinds->groups;
        uint8_t line = groups_are_lines ? group : kind;
        unsigned may = (kinds->banned[kind] >> group & 1) == 0;
        count->allowed[line] =
            (uint8_t)(count->allowed[line] | may << (groups_are_lines ? kind : group));
    }
    number_the_states(count);
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

static void read_kinds(struct hidden_kinds *kinds, const struct deck_def *deck,
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

/* The number of cards, by kind and group. */
typedef uint8_t hidden_numbers[KINDS_MAX][KINDS_MAX];

/* Draws how many cards of each kind go to each group. False when no arrangement obeys the bans. */
static bool draw_card_counts(const struct count *count, bool groups_are_lines,
                             struct quick_random *random, hidden_numbers numbers)
{
    count_bins left;
    memcpy(left, count->room, sizeof(left));
    for (uint8_t line = 0; line < count->lines; line++) {
        bool is_last = line == count->lines - 1;
        count_bins drawn;
        memcpy(drawn, left, sizeof(drawn));
        double weight = is_last ? weigh_remaining_lines(count, line, left)
                                : weigh_line(count, line, left, random, drawn);
        if (weight <= 0) {
            return false;
        }
        for (uint8_t bin = 0; bin < count->bins; bin++) {
            uint8_t *number = groups_are_lines ? &numbers[bin][count->number[line]]
                                               : &numbers[count->number[line]][bin];
            *number = drawn[bin];
            left[bin] = (uint8_t)(left[bin] - drawn[bin]);
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
        uint32_t pick = quick_random_below(random, room[group]--);
        while (pick >= numbers[kind][group]) {
            pick -= numbers[kind++][group];
        }
        numbers[kind][group]--;
        layout->cards[i] = sorted[--next[kind]];
    }
}

static bool any_card_is_banned(const struct hidden_kinds *kinds)
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
        bans->bits[card / 64] |= UINT64_C(1) << (card % 64);
    }
}

/* Shuffles when there are too many states to count. That takes five hands of unseen cards and four
 * suits that different hands lack; no player's view is like that. */
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

bool hidden_shuffle(const struct deck_def *deck, uint8_t *cards, const uint8_t *groups,
                    uint8_t count, const uint8_t bans[HIDDEN_GROUPS_MAX],
                    struct quick_random *random)
{
    assert(count <= HIDDEN_CARDS_MAX && deck->suit_count < KINDS_MAX);
    struct hidden_kinds kinds = {0};
    struct hidden_layout layout = {cards, groups, count};
    for (uint8_t i = count; i-- > 1;) {
        uint8_t other = (uint8_t)quick_random_below(random, i + 1U);
        uint8_t card = cards[i];
        cards[i] = cards[other];
        cards[other] = card;
    }
    read_kinds(&kinds, deck, cards, groups, count, bans);
    if (!any_card_is_banned(&kinds)) {
        return true;
    }
    struct count counted FILLED_LATER;
    hidden_numbers numbers = {{0}};
    set_lines_and_bins(&counted, &kinds, true);
    uint32_t cells = count_weights_to_store(&counted);
    set_lines_and_bins(&counted, &kinds, false);
    bool groups_are_lines = cells < count_weights_to_store(&counted);
    if (groups_are_lines) {
        set_lines_and_bins(&counted, &kinds, true);
    }
    if (count_weights_to_store(&counted) > STATES_MAX) {
        return shuffle_without_counting_states(deck, &layout, bans, random);
    }
    fill_weights(&counted);
    if (!draw_card_counts(&counted, groups_are_lines, random, numbers)) {
        return false;
    }
    place_cards(&kinds, deck, numbers, &layout, random);
    return true;
}
