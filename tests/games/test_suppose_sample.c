#include "games/game.h"
#include "games/hidden.h"
#include "games/suppose/suppose.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

/*
 * Compares the cards that `sample` draws late in a round with exact counts. To count, the test
 * tries every way to deal the unseen cards to the hands, with every order of colours, and keeps the
 * ways in which the hands look as they do in the view. Such a way counts once for every deal that
 * leads to it, where the two copies of a card count as different. If a hand has k colours, each of
 * their k! orders counts 1/k!.
 */

#define PLAYERS 3
#define VIEWER 0
/* the hands that the viewer has not arranged: the right neighbour's and the viewer's own */
#define OWNERS 2
#define HIDDEN_MAX 4
#define DRAWS 6000
#define GAMES 60
#define FACE_SLOTS (SUPPOSE_SLOTS * SUPPOSE_FACES)

static const uint8_t owners[OWNERS] = {2, VIEWER};

/* A view and, for each slot of the hands that the viewer has not arranged and for each card, the
 * number of ways to deal in which the card lies in the slot. */
struct counting {
    struct game_view view;
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t hidden[OWNERS];               /* number of slots whose cards the viewer does not know */
    uint8_t known[OWNERS][SUPPOSE_FACES]; /* how many copies of each card the viewer knows to be in
                                             the hand or to have been played from it */
    double ways[OWNERS][FACE_SLOTS];
    double all;
};

/* Sorts the hand's cards by colour in the given order, and returns whether the sorted hand fits the
 * view. Sets `slot_cards` to the card in each slot. */
static bool sort_hand_and_compare_with_view(const struct counting *counting, uint8_t owner,
                                            const uint8_t faces[SUPPOSE_FACES], uint8_t order,
                                            uint8_t slot_cards[SUPPOSE_SLOTS])
{
    const struct view_slot *slots = counting->view.hands[owners[owner]];
    struct card_set hand = {{0}};
    uint8_t cards[SUPPOSE_SLOTS];
    uint8_t gaps[SUPPOSE_FACES] = {0};
    struct view_play play;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        hand.bits[0] |= faces[face] > 0 ? UINT64_C(1) << face : 0;
        hand.bits[0] |= faces[face] > 1 ? UINT64_C(1) << (face + SUPPOSE_FACES) : 0;
    }
    if ((suppose_find_orders_of_colours(suppose_get_colours_of_hand(&hand)) >> order & 1) == 0) {
        return false;
    }
    suppose_sort_hand(&hand, order, cards);
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        slot_cards[slot] = card_number_without_copy(&suppose_deck, cards[slot]);
        gaps[slot_cards[slot]] = (uint8_t)(gaps[slot_cards[slot]] + slots[slot].is_empty);
        if (slots[slot].card != CARD_NONE && slots[slot].card != slot_cards[slot]) {
            return false;
        }
    }
    for (uint8_t i = 0; sample_read_play(&counting->view, i, &play); i++) {
        if (play.seat == owners[owner] &&
            (gaps[play.card]-- == 0 || slot_cards[play.slot] != play.card)) {
            return false;
        }
    }
    return true;
}

/* The cards of a hand. `ways` counts the orders of colours in which the hand fits the view, and
 * `lies` counts for each slot and card the orders that put the card there. */
struct hand {
    uint8_t faces[SUPPOSE_FACES];
    double ways;
    double lies[FACE_SLOTS];
};

static void try_all_colour_orders(const struct counting *counting, uint8_t owner, struct hand *hand)
{
    static const double orders[] = {1, 1, 2, 6, 24};
    hand->ways = 0;
    memset(hand->lies, 0, sizeof(hand->lies));
    for (uint8_t order = 0; order < SUPPOSE_ARRANGEMENTS; order++) {
        uint8_t slot_cards[SUPPOSE_SLOTS];
        uint8_t colours[SUPPOSE_COLOURS];
        double way = 1 / orders[suppose_list_colours_of_order(order, colours)];
        if (!sort_hand_and_compare_with_view(counting, owner, hand->faces, order, slot_cards)) {
            continue;
        }
        hand->ways += way;
        for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
            hand->lies[slot * SUPPOSE_FACES + slot_cards[slot]] += way;
        }
    }
}

/* Changes the cards to the next multiset of `count` cards, in ascending order. Returns false after
 * the last one. */
static bool set_next_multiset_of_cards(uint8_t *faces, uint8_t count)
{
    uint8_t at = count;
    while (at > 0 && faces[at - 1] == SUPPOSE_FACES - 1) {
        at--;
    }
    if (at == 0) {
        return false;
    }
    uint8_t face = (uint8_t)(faces[at - 1] + 1);
    for (uint8_t i = (uint8_t)(at - 1); i < count; i++) {
        faces[i] = face;
    }
    return true;
}

/* Sets the hand to its known cards and the cards `faces`, which are removed from `unseen_left`.
 * False when there are not enough unseen copies. */
static bool add_cards_to_hand(const struct counting *counting, uint8_t owner, const uint8_t *faces,
                              uint8_t *unseen_left, struct hand *hand)
{
    memcpy(hand->faces, counting->known[owner], sizeof(hand->faces));
    for (uint8_t i = 0; i < counting->hidden[owner]; i++) {
        hand->faces[faces[i]]++;
        if (unseen_left[faces[i]]-- == 0) {
            return false;
        }
    }
    return true;
}

/* Returns the number of deals that give these hands. It doubles with every card whose two copies
 * lie in different hands. */
static double count_deals(const struct counting *counting, const struct hand hands[OWNERS],
                          const uint8_t unseen_left[SUPPOSE_FACES])
{
    double deals = 1;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        bool is_together =
            hands[0].faces[face] > 1 || hands[1].faces[face] > 1 || unseen_left[face] > 1;
        bool is_open = counting->unseen[face] > 0;
        deals *= is_open && !is_together ? 2 : 1;
    }
    return deals;
}

static void add_deals_of_both_hands(struct counting *counting, const struct hand hands[OWNERS],
                                    const uint8_t unseen_left[SUPPOSE_FACES])
{
    double deals = count_deals(counting, hands, unseen_left);
    counting->all += deals * hands[0].ways * hands[1].ways;
    for (uint8_t owner = 0; owner < OWNERS; owner++) {
        for (unsigned i = 0; i < FACE_SLOTS; i++) {
            counting->ways[owner][i] += deals * hands[owner].lies[i] * hands[1 - owner].ways;
        }
    }
}

static void count_all_deals(struct counting *counting)
{
    static struct hand hands[OWNERS];
    uint8_t first[HIDDEN_MAX] = {0};
    do {
        uint8_t unseen[SUPPOSE_FACES];
        uint8_t second[HIDDEN_MAX] = {0};
        memcpy(unseen, counting->unseen, sizeof(unseen));
        if (!add_cards_to_hand(counting, 0, first, unseen, &hands[0])) {
            continue;
        }
        try_all_colour_orders(counting, 0, &hands[0]);
        do {
            uint8_t unseen_left[SUPPOSE_FACES];
            memcpy(unseen_left, unseen, sizeof(unseen_left));
            if (hands[0].ways > 0 &&
                add_cards_to_hand(counting, 1, second, unseen_left, &hands[1])) {
                try_all_colour_orders(counting, 1, &hands[1]);
                add_deals_of_both_hands(counting, hands, unseen_left);
            }
        } while (set_next_multiset_of_cards(second, counting->hidden[1]));
    } while (set_next_multiset_of_cards(first, counting->hidden[0]));
}

/* Reads what the viewer knows. Returns false when too many cards are hidden for counting. */
static bool read_known_cards(struct counting *counting)
{
    const struct game_view *view = &counting->view;
    uint8_t cards[2 * SUPPOSE_FACES];
    uint8_t count = suppose_list_cards(PLAYERS, cards);
    struct view_play play;
    memset(counting->unseen, 0, sizeof(counting->unseen));
    memset(counting->known, 0, sizeof(counting->known));
    memset(counting->hidden, 0, sizeof(counting->hidden));
    memset(counting->ways, 0, sizeof(counting->ways));
    counting->all = 0;
    for (uint8_t i = 0; i < count; i++) {
        counting->unseen[card_number_without_copy(&suppose_deck, cards[i])]++;
    }
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        counting->unseen[play.card]--;
        for (uint8_t owner = 0; owner < OWNERS; owner++) {
            uint8_t *known = &counting->known[owner][play.card];
            *known = (uint8_t)(*known + (play.seat == owners[owner]));
        }
    }
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t arranged = view->hands[1][slot].card;
        if (arranged != CARD_NONE) {
            counting->unseen[arranged]--;
        }
        for (uint8_t owner = 0; owner < OWNERS; owner++) {
            const struct view_slot *there = &view->hands[owners[owner]][slot];
            bool is_hidden = !there->is_empty && there->card == CARD_NONE;
            counting->hidden[owner] = (uint8_t)(counting->hidden[owner] + is_hidden);
            if (there->card != CARD_NONE) {
                counting->known[owner][there->card]++;
                counting->unseen[there->card]--;
            }
        }
    }
    return counting->hidden[0] > 0 && counting->hidden[0] + counting->hidden[1] <= HIDDEN_MAX;
}

/* Returns by how many standard deviations chi-square is above its mean (Wilson and Hilferty
 * 1931). */
static double compute_deviations_above_mean(double chi_square, double degrees_of_freedom)
{
    double spread = 2 / (9 * degrees_of_freedom);
    return (cbrt(chi_square / degrees_of_freedom) - (1 - spread)) / sqrt(spread);
}

static void compare_samples_of_slot_with_counts(const double *expected_ways, double all_ways,
                                                const unsigned *sampled, unsigned *compared)
{
    double chi_square = 0;
    double degrees_of_freedom = -1;
    for (uint8_t face = 0; face < SUPPOSE_FACES; face++) {
        double expected = DRAWS * expected_ways[face] / all_ways;
        assert_true(sampled[face] == 0 || expected > 0);
        if (expected > 0) {
            chi_square += (sampled[face] - expected) * (sampled[face] - expected) / expected;
            degrees_of_freedom++;
        }
    }
    if (degrees_of_freedom > 0 &&
        compute_deviations_above_mean(chi_square, degrees_of_freedom) > 4.5) {
        fail_msg("chi-square %.1f with %.0f degrees of freedom", chi_square, degrees_of_freedom);
    }
    *compared += degrees_of_freedom > 0;
}

static void compare_samples_with_counts(struct counting *counting, const struct game_config *config,
                                        struct quick_random *random, unsigned *compared)
{
    static unsigned seen[OWNERS][FACE_SLOTS];
    memset(seen, 0, sizeof(seen));
    count_all_deals(counting);
    assert_true(counting->all > 0);
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        struct game_state bytes;
        struct suppose state;
        assert_int_equal(game_sample_state(&counting->view, config, random, &bytes), GAME_OK);
        memcpy(&state, bytes.bytes, sizeof(state));
        for (unsigned i = 0; i < OWNERS * SUPPOSE_SLOTS; i++) {
            unsigned slot = i % SUPPOSE_SLOTS;
            uint8_t card = state.table.slots[owners[i / SUPPOSE_SLOTS]][slot];
            seen[i / SUPPOSE_SLOTS]
                [slot * SUPPOSE_FACES + card_number_without_copy(&suppose_deck, card)]++;
        }
    }
    for (unsigned i = 0; i < OWNERS * SUPPOSE_SLOTS; i++) {
        unsigned from = i % SUPPOSE_SLOTS * SUPPOSE_FACES;
        compare_samples_of_slot_with_counts(counting->ways[i / SUPPOSE_SLOTS] + from, counting->all,
                                            seen[i / SUPPOSE_SLOTS] + from, compared);
    }
}

static void samples_late_in_a_round_match_exact_counts(void **unused)
{
    (void)unused;
    static struct counting counting;
    struct trial trial = {.game = &suppose_game, .seats = PLAYERS};
    unsigned compared = 0;
    quick_random_init(&trial.random, 11);
    for (unsigned game = 0; game < GAMES; game++) {
        trial.config = game_config_default(&suppose_game, PLAYERS);
        for (unsigned i = 0; i < SEED_BYTES; i++) {
            trial.seed[i] = (uint8_t)quick_random_draw_below(&trial.random, 256);
        }
        trial_start(&trial, NULL);
        uint8_t tricks = (uint8_t)(5 + quick_random_draw_below(&trial.random, 5));
        do {
            uint8_t seat;
            assert_true(trial_choose_seat(&trial, &seat));
            trial_make_move(&trial, seat, trial_choose_move(&trial, seat), NULL);
            game_fill_view(&suppose_game, &trial.state, VIEWER, &counting.view);
        } while (counting.view.past_count < tricks);
        if (read_known_cards(&counting)) {
            compare_samples_with_counts(&counting, &trial.config, &trial.random, &compared);
        }
    }
    assert_true(compared > 50);
}

/* The moves, as seats and moves, of a game in whose third round the spectators' view leaves few
 * hands possible: when the hands are filled in the order of the seats, one in 500 attempts works.
 */
static const uint8_t scarce_seed[SEED_BYTES] = {
    0x4f, 0xa6, 0x1b, 0x99, 0x78, 0x08, 0xf7, 0xec, 0x70, 0x7d, 0x7c, 0xb5, 0xac, 0x9a, 0xfc, 0x20,
    0x52, 0x50, 0xd8, 0x1a, 0xfd, 0xf7, 0xe9, 0x01, 0x9c, 0xdf, 0x89, 0x39, 0xaf, 0x58, 0xfe, 0xa2};
static const uint8_t scarce_moves[][2] = {
    {1, 170}, {0, 177}, {0, 75},  {3, 178}, {3, 89},  {1, 99},  {2, 184}, {2, 115}, {3, 10},
    {0, 1},   {1, 6},   {2, 7},   {2, 3},   {3, 1},   {0, 9},   {1, 9},   {3, 9},   {0, 8},
    {1, 7},   {2, 9},   {3, 0},   {0, 10},  {1, 10},  {2, 1},   {0, 6},   {1, 4},   {2, 4},
    {3, 6},   {0, 2},   {1, 2},   {2, 2},   {3, 4},   {0, 7},   {1, 8},   {2, 8},   {3, 7},
    {0, 5},   {1, 5},   {2, 10},  {3, 5},   {0, 4},   {1, 3},   {2, 6},   {3, 3},   {0, 0},
    {1, 0},   {2, 0},   {3, 2},   {1, 1},   {2, 5},   {3, 8},   {0, 3},   {2, 174}, {3, 186},
    {0, 176}, {2, 50},  {1, 186}, {1, 82},  {0, 106}, {3, 108}, {0, 2},   {1, 3},   {2, 10},
    {3, 7},   {0, 0},   {1, 10},  {2, 6},   {3, 1},   {1, 8},   {2, 9},   {3, 5},   {0, 3},
    {1, 4},   {2, 8},   {3, 2},   {0, 10},  {0, 5},   {1, 9},   {2, 7},   {3, 10},  {2, 2},
    {3, 3},   {0, 8},   {1, 6},   {3, 8},   {0, 1},   {1, 1},   {2, 4},   {0, 9},   {1, 7},
    {2, 0},   {3, 6},   {0, 7},   {1, 5},   {2, 5},   {3, 0},   {0, 6},   {1, 0},   {2, 1},
    {3, 9},   {0, 4},   {1, 2},   {2, 3},   {3, 4},   {3, 172}, {1, 185}, {1, 91},  {3, 110},
    {0, 173}, {2, 188}, {2, 99},  {0, 83},  {1, 3},   {2, 8},   {3, 3},   {0, 10},  {3, 8},
    {0, 2},   {1, 0},   {2, 7},   {3, 6},   {0, 8},   {1, 8},   {2, 4},   {1, 2},   {2, 5},
    {3, 1},   {0, 7},   {1, 6},   {2, 2},   {3, 9},   {0, 3}};

static void a_view_that_leaves_few_hands_possible_can_be_sampled(void **unused)
{
    (void)unused;
    static struct game_view view;
    const struct game_config config = game_config_default(&suppose_game, 4);
    struct game_state state, sampled;
    struct quick_random random;
    quick_random_init(&random, 1);
    assert_int_equal(game_start(&suppose_game, &config, scarce_seed, &state, NULL), GAME_OK);
    for (size_t i = 0; i < sizeof scarce_moves / sizeof *scarce_moves; i++) {
        assert_int_equal(
            game_apply(&suppose_game, &state, scarce_moves[i][0], scarce_moves[i][1], NULL),
            GAME_OK);
    }
    game_fill_view(&suppose_game, &state, SPECTATOR, &view);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(game_sample_state(&view, &config, &random, &sampled), GAME_OK);
    }
}

TEST_GROUP(suppose_sample)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_late_in_a_round_match_exact_counts),
        cmocka_unit_test(a_view_that_leaves_few_hands_possible_can_be_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
