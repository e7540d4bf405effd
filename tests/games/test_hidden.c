#include "games/hidden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SPADES 1U
#define HEARTS 2U
#define DIAMONDS 4U
#define CLUBS 8U

static void assert_fits(const uint8_t *cards, const uint8_t *groups, uint8_t count,
                        const uint8_t *bans)
{
    for (uint8_t i = 0; i < count; i++) {
        assert_int_equal(bans[groups[i]] >> card_suit(&standard_deck, cards[i]) & 1, 0);
    }
}

static void every_arrangement_obeys_the_bans(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 1);
    for (unsigned trial = 0; trial < 2000; trial++) {
        /* A deal that exists, so that its bans can be obeyed: 7 hands of 3, the rest
         * undealt. */
        uint8_t cards[51];
        uint8_t groups[51];
        uint8_t bans[HIDDEN_GROUPS_MAX] = {0};
        static const uint8_t none[HIDDEN_GROUPS_MAX] = {0};
        for (uint8_t i = 0; i < 51; i++) {
            cards[i] = i;
            groups[i] = i < 21 ? i / 3 : 7;
        }
        assert_true(hidden_shuffle(&standard_deck, cards, groups, 51, none, &random));
        for (uint8_t group = 0; group < 7; group++) {
            bans[group] = (uint8_t)quick_random_below(&random, 16);
        }
        for (uint8_t i = 0; i < 51; i++) { /* lift the bans this deal breaks */
            uint8_t suit = card_suit(&standard_deck, cards[i]);
            bans[groups[i]] = (uint8_t)(bans[groups[i]] & ~(1U << suit));
        }
        assert_true(hidden_shuffle(&standard_deck, cards, groups, 51, bans, &random));
        assert_fits(cards, groups, 51, bans);
        uint64_t seen = 0;
        for (uint8_t i = 0; i < 51; i++) {
            seen |= UINT64_C(1) << cards[i];
        }
        assert_true(seen == (UINT64_C(1) << 51) - 1);
    }
}

/* Each hand may hold a suit more than the one before. */
static void the_only_arrangement_is_found(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 1, 2, 3};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {HEARTS | DIAMONDS | CLUBS, DIAMONDS | CLUBS,
                                                    CLUBS, 0};
    struct quick_random random;
    quick_random_init(&random, 2);
    for (unsigned trial = 0; trial < 200; trial++) {
        uint8_t cards[] = {0, 13, 26, 39};
        assert_true(hidden_shuffle(&standard_deck, cards, groups, 4, bans, &random));
        assert_int_equal(cards[0], 0);
        assert_int_equal(cards[1], 13);
        assert_int_equal(cards[2], 26);
        assert_int_equal(cards[3], 39);
    }
}

static void bans_that_nothing_obeys_are_refused(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 0, 1};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {SPADES, SPADES};
    struct quick_random random;
    quick_random_init(&random, 3);
    uint8_t cards[] = {0, 13, 14};
    assert_false(hidden_shuffle(&standard_deck, cards, groups, 3, bans, &random));
}

/* Six arrangements of three cards obey this ban but for two: four remain, each as likely. */
static void arrangements_that_obey_are_about_equally_likely(void **unused)
{
    (void)unused;
    static const uint8_t groups[] = {0, 1, 7};
    static const uint8_t bans[HIDDEN_GROUPS_MAX] = {SPADES};
    unsigned seen[3][3] = {{0}};
    struct quick_random random;
    quick_random_init(&random, 4);
    for (unsigned trial = 0; trial < 8000; trial++) {
        uint8_t cards[] = {0, 13, 26};
        assert_true(hidden_shuffle(&standard_deck, cards, groups, 3, bans, &random));
        seen[cards[0] / 13][cards[1] / 13]++;
    }
    for (unsigned first = 1; first < 3; first++) {
        for (unsigned second = 0; second < 3; second++) {
            if (first != second) {
                assert_in_range(seen[first][second], 1800, 2200);
            }
        }
    }
}

/* Five cards, five places: each place bans another card, and the last all but one. */
static void bans_on_single_cards_are_obeyed(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 1);
    struct card_set bans[5] = {{{1}}, {{2}}, {{4}}, {{8}}, {{15}}};
    bans[3].bits[1] = 1;
    for (unsigned trial = 0; trial < 500; trial++) {
        uint8_t cards[5] = {0, 1, 2, 3, 64};
        static const uint8_t groups[5] = {0, 1, 2, 3, 4};
        assert_true(hidden_shuffle_sets(cards, groups, 5, bans, 5, &random));
        for (uint8_t i = 0; i < 5; i++) {
            assert_true((bans[i].bits[cards[i] / 64] >> cards[i] % 64 & 1) == 0);
        }
        assert_int_equal(cards[4], 64);
    }
    bans[4].bits[1] = 1;
    uint8_t cards[5] = {0, 1, 2, 3, 64};
    static const uint8_t groups[5] = {0, 1, 2, 3, 4};
    assert_false(hidden_shuffle_sets(cards, groups, 5, bans, 5, &random));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arrangement_obeys_the_bans),
        cmocka_unit_test(the_only_arrangement_is_found),
        cmocka_unit_test(bans_that_nothing_obeys_are_refused),
        cmocka_unit_test(arrangements_that_obey_are_about_equally_likely),
        cmocka_unit_test(bans_on_single_cards_are_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
