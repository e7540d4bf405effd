#include "games/hidden.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPADES 1U
#define HEARTS 2U
#define DIAMONDS 4U
#define CLUBS 8U

static void assert_cards_obey_suit_bans(const uint8_t *cards, const uint8_t *groups, uint8_t count,
                                        const uint8_t *bans)
{
    for (uint8_t i = 0; i < count; i++) {
        assert_int_equal(bans[groups[i]] >> card_suit(&standard_deck, cards[i]) & 1, 0);
    }
}

static void a_shuffle_gives_no_hand_a_suit_that_is_banned_from_it(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 1);
    for (unsigned trial = 0; trial < 2000; trial++) {
        /* Starts from a random deal (7 hands of 3 cards, the other cards undealt), so that the
         * bans, the suits that each hand may not hold, can be obeyed. */
        uint8_t cards[51];
        uint8_t groups[51];
        uint8_t bans[HIDDEN_GROUPS_MAX] = {0};
        static const uint8_t none[HIDDEN_GROUPS_MAX] = {0};
        for (uint8_t i = 0; i < 51; i++) {
            cards[i] = i;
            groups[i] = i < 21 ? i / 3 : 7;
        }
        assert_true(
            hidden_shuffle_with_suit_bans(&standard_deck, cards, groups, 51, none, &random));
        for (uint8_t group = 0; group < 7; group++) {
            bans[group] = (uint8_t)quick_random_draw_below(&random, 16);
        }
        for (uint8_t i = 0; i < 51; i++) { /* allow each hand the suits that this deal gave it */
            uint8_t suit = card_suit(&standard_deck, cards[i]);
            bans[groups[i]] = (uint8_t)(bans[groups[i]] & ~(1U << suit));
        }
        assert_true(
            hidden_shuffle_with_suit_bans(&standard_deck, cards, groups, 51, bans, &random));
        assert_cards_obey_suit_bans(cards, groups, 51, bans);
        uint64_t seen = 0;
        for (uint8_t i = 0; i < 51; i++) {
            seen |= UINT64_C(1) << cards[i];
        }
        assert_true(seen == (UINT64_C(1) << 51) - 1);
    }
}

/* Each hand may hold one more suit than the hand before it. */
static void a_shuffle_finds_the_only_arrangement_that_obeys_the_suit_bans(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 1, 2, 3};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {HEARTS | DIAMONDS | CLUBS, DIAMONDS | CLUBS,
                                                    CLUBS, 0};
    struct quick_random random;
    quick_random_init(&random, 2);
    for (unsigned trial = 0; trial < 200; trial++) {
        uint8_t cards[] = {0, 13, 26, 39};
        assert_true(hidden_shuffle_with_suit_bans(&standard_deck, cards, groups, 4, bans, &random));
        assert_int_equal(cards[0], 0);
        assert_int_equal(cards[1], 13);
        assert_int_equal(cards[2], 26);
        assert_int_equal(cards[3], 39);
    }
}

static void suit_bans_that_no_arrangement_obeys_are_refused(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 0, 1};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {SPADES, SPADES};
    struct quick_random random;
    quick_random_init(&random, 3);
    uint8_t cards[] = {0, 13, 14};
    assert_false(hidden_shuffle_with_suit_bans(&standard_deck, cards, groups, 3, bans, &random));
}

#define PLACES_MAX 9
#define LAYOUTS_MAX 4096

/* A case to test: the group (hand) to which each place belongs, the suits of the cards, and the
 * suits banned from each group. */
struct layout_case {
    uint8_t places;
    uint8_t groups[PLACES_MAX];
    uint8_t suits[PLACES_MAX];
    uint8_t bans[HIDDEN_GROUPS_MAX];
};

static uint32_t encode_arrangement_as_number(const uint8_t *suits, uint8_t places)
{
    uint32_t code = 0;
    for (uint8_t i = 0; i < places; i++) {
        code = code * 4 + suits[i];
    }
    return code;
}

/* Rearranges the suits to the next order in lexicographic order. Returns false after the last
 * one. */
static bool rearrange_to_next_order(uint8_t *suits, uint8_t places)
{
    uint8_t i = (uint8_t)(places - 1);
    while (i > 0 && suits[i - 1] >= suits[i]) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    uint8_t j = (uint8_t)(places - 1);
    while (suits[j] <= suits[i - 1]) {
        j--;
    }
    uint8_t moved = suits[i - 1];
    suits[i - 1] = suits[j];
    suits[j] = moved;
    for (j = (uint8_t)(places - 1); i < j; i++, j--) {
        moved = suits[i];
        suits[i] = suits[j];
        suits[j] = moved;
    }
    return true;
}

static bool obeys_suit_bans(const struct layout_case *layout_case, const uint8_t *suits)
{
    for (uint8_t i = 0; i < layout_case->places; i++) {
        if ((layout_case->bans[layout_case->groups[i]] >> suits[i] & 1) != 0) {
            return false;
        }
    }
    return true;
}

/* Lists all arrangements of the suits that obey the bans, as codes in ascending order. Returns
 * their number. */
static unsigned list_arrangements_that_obey_bans(const struct layout_case *layout_case,
                                                 uint32_t codes[LAYOUTS_MAX])
{
    uint8_t suits[PLACES_MAX];
    unsigned count = 0;
    uint8_t at = 0;
    for (uint8_t suit = 0; suit < 4; suit++) {
        for (uint8_t i = 0; i < layout_case->places; i++) {
            if (layout_case->suits[i] == suit) {
                suits[at++] = suit;
            }
        }
    }
    do {
        if (obeys_suit_bans(layout_case, suits)) {
            assert_true(count < LAYOUTS_MAX);
            codes[count++] = encode_arrangement_as_number(suits, layout_case->places);
        }
    } while (rearrange_to_next_order(suits, layout_case->places));
    return count;
}

static int compare_codes(const void *a, const void *b)
{
    const uint32_t *first = a;
    const uint32_t *second = b;
    return (*first > *second) - (*first < *second);
}

/* Returns by how many standard deviations chi-square is above its mean (Wilson and Hilferty
 * 1931). */
static double compute_deviations_above_mean(double chi_square, double degrees_of_freedom)
{
    double spread = 2 / (9 * degrees_of_freedom);
    return (cbrt(chi_square / degrees_of_freedom) - (1 - spread)) / sqrt(spread);
}

/* Checks that a shuffle gives every arrangement that obeys the bans about equally often. */
static void assert_arrangements_equally_likely(const struct layout_case *layout_case,
                                               struct quick_random *random)
{
    static uint32_t codes[LAYOUTS_MAX];
    static unsigned seen[LAYOUTS_MAX];
    unsigned count = list_arrangements_that_obey_bans(layout_case, codes);
    double expected = count < 100 ? 600 : 60;
    unsigned draws = (unsigned)expected * count;
    memset(seen, 0, sizeof(seen));
    for (unsigned draw = 0; draw < draws; draw++) {
        uint8_t cards[PLACES_MAX];
        uint8_t suits[PLACES_MAX];
        for (uint8_t i = 0; i < layout_case->places; i++) {
            cards[i] = (uint8_t)(layout_case->suits[i] * 13 + i);
        }
        assert_true(hidden_shuffle_with_suit_bans(&standard_deck, cards, layout_case->groups,
                                                  layout_case->places, layout_case->bans, random));
        for (uint8_t i = 0; i < layout_case->places; i++) {
            suits[i] = card_suit(&standard_deck, cards[i]);
        }
        uint32_t code = encode_arrangement_as_number(suits, layout_case->places);
        const uint32_t *found = bsearch(&code, codes, count, sizeof(codes[0]), compare_codes);
        assert_non_null(found);
        seen[found - codes]++;
    }
    double square = 0;
    for (unsigned i = 0; i < count; i++) {
        square += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    if (count > 1 && compute_deviations_above_mean(square, count - 1.0) > 4.5) {
        fail_msg("%u ways are not equally likely: chi-square %.1f", count, square);
    }
}

static struct layout_case make_case_with_cycle_of_bans(uint8_t cards_per_hand)
{
    struct layout_case layout_case = {.places = (uint8_t)(3 * cards_per_hand)};
    for (uint8_t i = 0; i < layout_case.places; i++) {
        layout_case.groups[i] = i / cards_per_hand;
        layout_case.suits[i] = i / cards_per_hand;
    }
    layout_case.bans[0] = SPADES;
    layout_case.bans[1] = HEARTS;
    layout_case.bans[2] = DIAMONDS;
    return layout_case;
}

/* One hand may have no spades, the next no hearts, the third no diamonds. With one card each, there
 * are two arrangements, and no swap of two cards leads from one to the other. */
static void all_arrangements_are_equally_likely_when_suit_bans_form_a_cycle(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 4);
    for (uint8_t each = 1; each <= 3; each++) {
        struct layout_case layout_case = make_case_with_cycle_of_bans(each);
        assert_arrangements_equally_likely(&layout_case, &random);
    }
}

/* Returns a case with random bans that at least one deal of its cards obeys. */
static struct layout_case make_random_case(struct quick_random *random)
{
    struct layout_case layout_case = {.places = (uint8_t)(3 + quick_random_draw_below(random, 5))};
    uint32_t groups = 2 + quick_random_draw_below(random, 3);
    uint32_t suits = 2 + quick_random_draw_below(random, 3);
    for (uint8_t group = 0; group < HIDDEN_GROUPS_MAX; group++) {
        layout_case.bans[group] = (uint8_t)quick_random_draw_below(random, 16);
    }
    for (uint8_t i = 0; i < layout_case.places; i++) {
        layout_case.groups[i] = (uint8_t)quick_random_draw_below(random, groups);
        layout_case.suits[i] = (uint8_t)quick_random_draw_below(random, suits);
        uint8_t *bans = &layout_case.bans[layout_case.groups[i]];
        *bans = (uint8_t)(*bans & ~(1U << layout_case.suits[i]));
    }
    return layout_case;
}

static void all_arrangements_that_obey_the_suit_bans_are_equally_likely(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 5);
    for (unsigned i = 0; i < 200; i++) {
        struct layout_case layout_case = make_random_case(&random);
        assert_arrangements_equally_likely(&layout_case, &random);
    }
}

/* Checks that each of several cards of a suit is equally likely to be dealt to the same place. */
static void all_cards_of_a_suit_are_equally_likely_to_go_to_a_place(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 1, 1, 7, 7};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {SPADES, HEARTS};
    unsigned seen[52] = {0};
    struct quick_random random;
    quick_random_init(&random, 6);
    for (unsigned trial = 0; trial < 9000; trial++) {
        uint8_t cards[] = {0, 1, 13, 14, 15};
        assert_true(hidden_shuffle_with_suit_bans(&standard_deck, cards, groups, 5, bans, &random));
        seen[cards[0]]++;
    }
    for (uint8_t card = 13; card < 16; card++) {
        assert_in_range(seen[card], 2800, 3200);
    }
}

/* Five cards go to five places. For each place but the last, one card is banned; the last place may
 * get only one of the cards. */
static void a_shuffle_gives_no_place_a_card_that_is_banned_from_it(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 1);
    struct card_set bans[5] = {{{1}}, {{2}}, {{4}}, {{8}}, {{15}}};
    bans[3].bits[1] = 1;
    for (unsigned trial = 0; trial < 500; trial++) {
        uint8_t cards[5] = {0, 1, 2, 3, 64};
        static const uint8_t groups[5] = {0, 1, 2, 3, 4};
        assert_true(hidden_shuffle_with_card_bans(cards, groups, 5, bans, 5, &random));
        for (uint8_t i = 0; i < 5; i++) {
            assert_true((bans[i].bits[cards[i] / 64] >> cards[i] % 64 & 1) == 0);
        }
        assert_int_equal(cards[4], 64);
    }
    bans[4].bits[1] = 1;
    uint8_t cards[5] = {0, 1, 2, 3, 64};
    static const uint8_t groups[5] = {0, 1, 2, 3, 4};
    assert_false(hidden_shuffle_with_card_bans(cards, groups, 5, bans, 5, &random));
}

TEST_GROUP(hidden)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shuffle_gives_no_hand_a_suit_that_is_banned_from_it),
        cmocka_unit_test(a_shuffle_finds_the_only_arrangement_that_obeys_the_suit_bans),
        cmocka_unit_test(suit_bans_that_no_arrangement_obeys_are_refused),
        cmocka_unit_test(all_arrangements_are_equally_likely_when_suit_bans_form_a_cycle),
        cmocka_unit_test(all_arrangements_that_obey_the_suit_bans_are_equally_likely),
        cmocka_unit_test(all_cards_of_a_suit_are_equally_likely_to_go_to_a_place),
        cmocka_unit_test(a_shuffle_gives_no_place_a_card_that_is_banned_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
