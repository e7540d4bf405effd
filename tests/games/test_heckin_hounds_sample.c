#include "games/card.h"
#include "games/game.h"
#include "games/heckin_hounds/heckin_hounds.h"
#include "games/hidden.h"
#include "tests/environment.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

/*
 * Compares the cards that `sample` draws late in a round of three players with exact counts. To
 * count, the test tries every way to place the unseen cards. Each way counts once for every
 * combination of cards that players may have given in the trades. Clues limit which cards these
 * are. The card given last is now in the dead hand; a card given earlier is there too, or was taken
 * in a later trade.
 */

#define BIT(n) (UINT64_C(1) << (n))
#define PLACES_MAX 4
#define PLAYERS 3
#define DRAWS 40000
#define GAMES 900

/* A slot whose card the viewer does not know, or the discarded card (seat HOUNDS_SEAT_NONE). */
struct place {
    uint8_t seat, slot;
    uint64_t allowed;
    double ways[HOUNDS_CARDS];
    unsigned seen[HOUNDS_CARDS];
};

/* A trade; trades are stored in the order in which they were made. `given` is the set of cards that
 * the player may have given. The card taken still lies in one of the `places`, or the viewer has
 * seen it. In the second case taken[card] tells how many orders of the player's played cards fit
 * when that card was the one taken. */
struct trade {
    uint64_t given;
    int place; /* index of the place that still holds the taken card; -1: use taken[] */
    unsigned taken[HOUNDS_CARDS];
};

struct counting {
    struct game_view view;
    uint64_t pool;
    int place_count;
    struct place places[PLACES_MAX];
    int trade_count;
    struct trade trades[PLAYERS];
    double all;
};

static bool add_place(struct counting *counting, uint8_t seat, uint8_t slot, uint64_t allowed_cards)
{
    if (counting->place_count == PLACES_MAX) {
        return false;
    }
    counting->places[counting->place_count++] =
        (struct place){.seat = seat, .slot = slot, .allowed = allowed_cards};
    return true;
}

static void swap_cards(uint8_t *a, uint8_t *b)
{
    uint8_t moved = *a;
    *a = *b;
    *b = moved;
}

/* Rearranges the cards to the next order in lexicographic order. Returns false after the last
 * one. */
static bool rearrange_to_next_order(uint8_t *cards, int count)
{
    int i = count - 1;
    while (i > 0 && cards[i - 1] >= cards[i]) {
        i--;
    }
    if (i <= 0) {
        return false;
    }
    int j = count - 1;
    while (cards[j] <= cards[i - 1]) {
        j--;
    }
    swap_cards(&cards[i - 1], &cards[j]);
    for (j = count - 1; i < j; i++, j--) {
        swap_cards(&cards[i], &cards[j]);
    }
    return true;
}

/* Lists the cards that a seat played, without Cerberus, in ascending order. Returns their
 * number. */
static int list_played_cards(const struct counting *counting, uint8_t seat, uint8_t *cards)
{
    uint64_t all = 0;
    int count = 0;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(&counting->view, i, &play); i++) {
        all |= play.seat == seat && play.card != HOUNDS_CERBERUS_CARD ? BIT(play.card) : 0;
    }
    for (; all != 0; all &= all - 1) {
        cards[count++] = bits_index_of_lowest(all);
    }
    return count;
}

/* For each card that the seat played, counts the orders of its played cards in which that card was
 * played from the traded slot. */
static void count_orders_of_played_cards(const struct counting *counting, uint8_t seat,
                                         struct trade *trade)
{
    uint8_t cards[HOUNDS_SLOTS];
    int count = list_played_cards(counting, seat, cards);
    do {
        bool fits = true;
        int gap = 0;
        int traded = 0;
        for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
            bool is_cerberus = seat == hounds_known(&counting->view)->cerberus_seat &&
                               slot == hounds_known(&counting->view)->cerberus_slot;
            if (!counting->view.hands[seat][slot].is_empty || is_cerberus) {
                continue;
            }
            uint64_t dealt = hounds_possible_dealt_cards(&counting->view,
                                                         hounds_known(&counting->view), seat, slot);
            bool is_traded = slot == hounds_known(&counting->view)->trades[seat];
            traded = is_traded ? gap : traded;
            fits = fits && (is_traded || (dealt >> cards[gap] & 1) != 0);
            gap++;
        }
        trade->taken[cards[traded]] += fits;
    } while (rearrange_to_next_order(cards, count));
}

/* Records the card that the view shows as played from the traded slot. */
static void record_card_played_from_slot(const struct counting *counting, uint8_t seat,
                                         uint8_t slot, struct trade *trade)
{
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(&counting->view, i, &play); i++) {
        if (play.seat == seat && play.slot == slot) {
            trade->taken[play.card] = 1;
        }
    }
}

static void add_trade(struct counting *counting, uint8_t seat, uint8_t slot)
{
    struct trade *trade = &counting->trades[counting->trade_count++];
    const struct view_slot *there = &counting->view.hands[seat][slot];
    *trade = (struct trade){.place = -1};
    trade->given = hounds_known(&counting->view)->given[seat] != CARD_NONE
                       ? BIT(hounds_known(&counting->view)->given[seat])
                       : hounds_possible_dealt_cards(&counting->view, hounds_known(&counting->view),
                                                     seat, slot);
    for (int i = 0; i < counting->place_count; i++) {
        bool is_here = counting->places[i].seat == seat && counting->places[i].slot == slot;
        trade->place = is_here ? i : trade->place;
    }
    if (there->card != CARD_NONE) {
        trade->taken[there->card] = 1;
    } else if (there->is_empty) {
        record_card_played_from_slot(counting, seat, slot, trade);
    } else if (there->is_empty) {
        count_orders_of_played_cards(counting, seat, trade);
    }
}

/* Reads what the viewer knows. Returns false when no card was traded, or when too many cards are
 * hidden for counting. */
static bool read_known_cards(struct counting *counting)
{
    struct hounds_places places;
    const struct hounds_known *known = hounds_known(&counting->view);
    counting->place_count = 0;
    counting->trade_count = 0;
    counting->all = 0;
    assert_true(hounds_view_is_possible(&counting->view));
    assert_true(hounds_find_possible_cards(&counting->view, known, &places));
    counting->pool = places.pool;
    for (uint8_t i = 0; i < PLAYERS * HOUNDS_SLOTS; i++) {
        uint64_t allowed = places.slots[i / HOUNDS_SLOTS][i % HOUNDS_SLOTS];
        if ((allowed & places.pool) != 0 &&
            !add_place(counting, i / HOUNDS_SLOTS, i % HOUNDS_SLOTS, allowed)) {
            return false;
        }
    }
    if ((places.discarded & places.pool) != 0 &&
        !add_place(counting, HOUNDS_SEAT_NONE, 0, places.discarded)) {
        return false;
    }
    for (uint8_t i = 0; i < PLAYERS; i++) {
        uint8_t seat = (uint8_t)((known->leader + i) % PLAYERS);
        if (known->trades[seat] < HOUNDS_SLOTS) {
            add_trade(counting, seat, known->trades[seat]);
        }
    }
    return counting->place_count > 0 && counting->trade_count > 0;
}

/* These functions count the combinations of cards that players may have given in the first trades
 * (one, two or all trades). In these trades the players took the cards `taken`; afterwards the dead
 * hand consists of `dead_cards`. */
static double count_ways_to_give_in_one_trade(const struct counting *counting, uint64_t dead_cards)
{
    return bits_count(dead_cards & counting->trades[0].given);
}

static double count_ways_to_give_in_two_trades(const struct counting *counting, uint64_t dead_cards,
                                               const uint8_t *taken)
{
    double ways = 0;
    for (uint64_t left = dead_cards & counting->trades[1].given; left != 0; left &= left - 1) {
        uint64_t before = (dead_cards & ~BIT(bits_index_of_lowest(left))) | BIT(taken[1]);
        ways += count_ways_to_give_in_one_trade(counting, before);
    }
    return ways;
}

static double count_ways_to_give_in_trades(const struct counting *counting, uint64_t dead_cards,
                                           const uint8_t *taken)
{
    double ways = 0;
    if (counting->trade_count < PLAYERS) {
        return counting->trade_count == 1
                   ? count_ways_to_give_in_one_trade(counting, dead_cards)
                   : count_ways_to_give_in_two_trades(counting, dead_cards, taken);
    }
    for (uint64_t left = dead_cards & counting->trades[2].given; left != 0; left &= left - 1) {
        uint64_t before = (dead_cards & ~BIT(bits_index_of_lowest(left))) | BIT(taken[2]);
        ways += count_ways_to_give_in_two_trades(counting, before, taken);
    }
    return ways;
}

/* Finds the next card, from `card` on, that the player may have taken in the trade; HOUNDS_CARDS
 * when there is none. Sets *times to the number of ways in which the player may have taken it. */
static uint8_t find_next_card_taken(const struct counting *counting, int trade,
                                    const uint8_t *cards, uint8_t card, unsigned *times)
{
    const struct trade *made = &counting->trades[trade];
    for (; card < HOUNDS_CARDS; card++) {
        *times = trade >= counting->trade_count ? card == 0
                 : made->place < 0              ? made->taken[card]
                                                : cards[made->place] == card;
        if (*times > 0) {
            return card;
        }
    }
    return card;
}

/* Counts all combinations of cards that players may have taken and given in the trades, when the
 * places hold the cards `cards`. */
static double count_taken_combinations(const struct counting *counting, const uint8_t *cards,
                                       uint64_t dead_cards)
{
    double ways = 0;
    uint8_t taken[PLAYERS];
    unsigned times[PLAYERS];
    for (int trade = 0; trade < PLAYERS; trade++) {
        taken[trade] = find_next_card_taken(counting, trade, cards, 0, &times[trade]);
    }
    for (int at = 0; at < PLAYERS;) {
        ways += (double)times[0] * times[1] * times[2] *
                count_ways_to_give_in_trades(counting, dead_cards, taken);
        for (at = 0; at < PLAYERS; at++) {
            taken[at] =
                find_next_card_taken(counting, at, cards, (uint8_t)(taken[at] + 1), &times[at]);
            if (taken[at] < HOUNDS_CARDS) {
                break;
            }
            taken[at] = find_next_card_taken(counting, at, cards, 0, &times[at]);
        }
    }
    return ways;
}

static void count_ways_to_place_unseen_cards(struct counting *counting)
{
    uint8_t cards[PLACES_MAX] = {0};
    int at = 0;
    uint64_t left[PLACES_MAX + 1] = {counting->pool};
    while (at >= 0) {
        uint8_t card = cards[at];
        bool is_last = at == counting->place_count - 1;
        if (card >= HOUNDS_CARDS) {
            at--;
            if (at >= 0) {
                cards[at]++;
            }
            continue;
        }
        if ((left[at] & counting->places[at].allowed & BIT(card)) == 0) {
            cards[at]++;
            continue;
        }
        left[at + 1] = left[at] & ~BIT(card);
        if (!is_last) {
            cards[++at] = 0;
            continue;
        }
        double ways = count_taken_combinations(counting, cards, left[at + 1]);
        counting->all += ways;
        for (int i = 0; i < counting->place_count; i++) {
            counting->places[i].ways[cards[i]] += ways;
        }
        cards[at]++;
    }
}

/* Returns by how many standard deviations chi-square is above its mean (Wilson and Hilferty
 * 1931). */
static double compute_deviations_above_mean(double chi_square, double degrees_of_freedom)
{
    double spread = 2 / (9 * degrees_of_freedom);
    return (cbrt(chi_square / degrees_of_freedom) - (1 - spread)) / sqrt(spread);
}

static void compare_samples_of_place_with_counts(const struct place *place, double all_ways)
{
    double square = 0;
    double degrees_of_freedom = -1;
    for (uint8_t card = 0; card < HOUNDS_CARDS; card++) {
        double expected = DRAWS * place->ways[card] / all_ways;
        assert_true(place->seen[card] == 0 || expected > 0);
        if (expected > 0) {
            square += (place->seen[card] - expected) * (place->seen[card] - expected) / expected;
            degrees_of_freedom++;
        }
    }
    if (degrees_of_freedom > 0 && compute_deviations_above_mean(square, degrees_of_freedom) > 4.5) {
        fail_msg("seat %u, slot %u: chi-square %.1f with %.0f degrees of freedom", place->seat,
                 place->slot, square, degrees_of_freedom);
    }
}

static void compare_samples_with_counts(struct counting *counting, struct trial *trial)
{
    count_ways_to_place_unseen_cards(counting);
    assert_true(counting->all > 0);
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        struct game_state bytes;
        struct hounds state;
        assert_int_equal(game_sample_state(&counting->view, &trial->config, &trial->random, &bytes),
                         GAME_OK);
        memcpy(&state, bytes.bytes, sizeof(state));
        for (int i = 0; i < counting->place_count; i++) {
            struct place *place = &counting->places[i];
            place->seen[place->seat == HOUNDS_SEAT_NONE
                            ? state.discarded
                            : state.table.slots[place->seat][place->slot]]++;
        }
    }
    for (int i = 0; i < counting->place_count; i++) {
        compare_samples_of_place_with_counts(&counting->places[i], counting->all);
    }
}

static void samples_after_trades_match_exact_counts(void **unused)
{
    (void)unused;
    static struct counting counting;
    struct trial trial = {.game = &heckin_hounds_game, .seats = PLAYERS};
    unsigned compared = 0;
    const uint64_t wanted = environment_share(40);
    quick_random_init(&trial.random, 21);
    for (unsigned game = 0; game < GAMES && compared < wanted; game++) {
        trial.config = game_config_default(&heckin_hounds_game, PLAYERS);
        for (unsigned i = 0; i < SEED_BYTES; i++) {
            trial.seed[i] = (uint8_t)quick_random_draw_below(&trial.random, 256);
        }
        trial_start(&trial, NULL);
        uint8_t tricks = (uint8_t)(3 + quick_random_draw_below(&trial.random, 2));
        int8_t viewer = (int8_t)(game % PLAYERS);
        do {
            uint8_t seat;
            assert_true(trial_choose_seat(&trial, &seat));
            trial_make_move(&trial, seat, trial_choose_move(&trial, seat), NULL);
            game_fill_view(&heckin_hounds_game, &trial.state, viewer, &counting.view);
        } while (counting.view.past_count < tricks);
        if (read_known_cards(&counting)) {
            compare_samples_with_counts(&counting, &trial);
            compared++;
        }
    }
    assert_true(compared >= wanted);
}

TEST_GROUP(heckin_hounds_sample)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_after_trades_match_exact_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
