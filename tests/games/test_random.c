#include "games/card.h"
#include "tests/unit.h"

#include <string.h>

#include <sodium.h>

static const uint8_t counting_seed[SEED_BYTES] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

/* The largest upper limit for a random number. With this limit only one word of the stream would be
 * rejected, and the tests do not meet that word. */
#define WHOLE_WORD UINT32_MAX

static void the_random_stream_begins_with_the_published_words(void **unused)
{
    (void)unused;
    struct deal_stream stream;
    deal_stream_init(&stream, counting_seed);
    assert_int_equal(deal_stream_draw_below(&stream, WHOLE_WORD), 0x7d2bfd39);
    assert_int_equal(deal_stream_draw_below(&stream, WHOLE_WORD), 0x6a19c5d9);
    assert_int_equal(deal_stream_draw_below(&stream, WHOLE_WORD), 0x7703bd8d);
    assert_int_equal(stream.words_taken, 3);
}

static void the_stream_is_chacha20_as_libsodium_computes_it(void **unused)
{
    (void)unused;
    static uint8_t expected[16384];
    static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES] = {0};
    uint8_t seed[SEED_BYTES];
    for (unsigned i = 0; i < SEED_BYTES; i++) {
        seed[i] = (uint8_t)(i * 37 + 11);
    }
    assert_int_equal(crypto_stream_chacha20_ietf(expected, sizeof(expected), nonce, seed), 0);
    struct deal_stream stream;
    deal_stream_init(&stream, seed);
    for (size_t i = 0; i < sizeof(expected); i += 4) {
        uint32_t word = (uint32_t)expected[i] | (uint32_t)expected[i + 1] << 8 |
                        (uint32_t)expected[i + 2] << 16 | (uint32_t)expected[i + 3] << 24;
        assert_int_equal(deal_stream_draw_below(&stream, WHOLE_WORD), word);
    }
}

/* Draws a number in the way that HISTORY.md defines. The engine's draws and shuffles must give the
 * same numbers. */
static uint32_t draw_number_below_by_definition(struct deal_stream *stream, uint32_t below)
{
    uint64_t limit = (UINT64_C(1) << 32) - (UINT64_C(1) << 32) % below;
    uint64_t word;
    do {
        word = deal_stream_draw_below(stream, WHOLE_WORD);
    } while (word >= limit);
    return (uint32_t)(word % below);
}

static void a_random_draw_rejects_the_words_that_the_format_tells_it_to_reject(void **unused)
{
    (void)unused;
    /* With these limits half of all words, a third of them, hardly any or none are rejected. */
    static const uint32_t bounds[] = {0x80000001, 0xAAAAAAAB, 52, 3, 1, 2, 64, 0x80000000};
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct deal_stream stream;
        struct deal_stream reference;
        deal_stream_init(&stream, counting_seed);
        deal_stream_init(&reference, counting_seed);
        for (unsigned j = 0; j < 500; j++) {
            assert_int_equal(deal_stream_draw_below(&stream, bounds[i]),
                             draw_number_below_by_definition(&reference, bounds[i]));
            assert_int_equal(stream.words_taken, reference.words_taken);
        }
    }
}

static void a_shuffle_is_the_fisher_yates_shuffle_from_the_last_index_down(void **unused)
{
    (void)unused;
    struct deal_stream stream;
    struct deal_stream reference;
    deal_stream_init(&stream, counting_seed);
    deal_stream_init(&reference, counting_seed);
    for (uint32_t count = 1; count <= 75;
         count++) { /* successive deals use successive words of the stream */
        uint8_t cards[75];
        uint8_t expected[75];
        for (uint8_t i = 0; i < count; i++) {
            cards[i] = i;
            expected[i] = i;
        }
        deal_stream_shuffle(&stream, cards, count);
        for (uint32_t i = count - 1; i >= 1; i--) {
            uint32_t j = draw_number_below_by_definition(&reference, i + 1);
            uint8_t card = expected[i];
            expected[i] = expected[j];
            expected[j] = card;
        }
        assert_memory_equal(cards, expected, count);
    }
}

static void quick_random_numbers_stay_below_the_bound_and_reach_every_value(void **unused)
{
    (void)unused;
    struct quick_random random;
    quick_random_init(&random, 1);
    unsigned seen[7] = {0};
    for (unsigned i = 0; i < 7000; i++) {
        uint32_t number = quick_random_draw_below(&random, 7);
        assert_in_range(number, 0, 6);
        seen[number]++;
    }
    for (unsigned i = 0; i < 7; i++) {
        assert_in_range(seen[i], 850, 1150);
    }
}

static void quick_random_numbers_depend_only_on_the_seed(void **unused)
{
    (void)unused;
    struct quick_random a;
    struct quick_random b;
    quick_random_init(&a, 42);
    quick_random_init(&b, 42);
    for (unsigned i = 0; i < 100; i++) {
        assert_true(quick_random_next(&a) == quick_random_next(&b));
    }
    quick_random_init(&b, 43);
    assert_false(quick_random_next(&a) == quick_random_next(&b));
}

TEST_GROUP(random)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_random_stream_begins_with_the_published_words),
        cmocka_unit_test(the_stream_is_chacha20_as_libsodium_computes_it),
        cmocka_unit_test(a_random_draw_rejects_the_words_that_the_format_tells_it_to_reject),
        cmocka_unit_test(a_shuffle_is_the_fisher_yates_shuffle_from_the_last_index_down),
        cmocka_unit_test(quick_random_numbers_stay_below_the_bound_and_reach_every_value),
        cmocka_unit_test(quick_random_numbers_depend_only_on_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
