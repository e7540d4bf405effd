#include "games/card.h"
#include "tests/unit.h"

/* Finds every set bit of the word in two ways: by clearing one bit after the other, and by its
 * number among the set bits. */
static void check_every_bit_is_found(uint64_t word)
{
    uint8_t n = 0;
    for (uint8_t bit = 0; bit < 64; bit++) {
        if ((word >> bit & 1) != 0) {
            assert_int_equal(bits_index_of_nth_set_bit(word, n), bit);
            n++;
        }
    }
    assert_int_equal(bits_count(word), n);
}

static void the_nth_bit_of_any_word_is_found(void **state)
{
    (void)state;
    struct quick_random random;
    quick_random_init(&random, 1);
    check_every_bit_is_found(0);
    check_every_bit_is_found(UINT64_MAX);
    for (uint8_t bit = 0; bit < 64; bit++) {
        check_every_bit_is_found(UINT64_C(1) << bit);
        check_every_bit_is_found(UINT64_MAX << bit);
        check_every_bit_is_found(UINT64_MAX >> bit);
    }
    for (int i = 0; i < 10000; i++) {
        uint64_t word = quick_random_next(&random);
        check_every_bit_is_found(word);
        check_every_bit_is_found(word & quick_random_next(&random) & quick_random_next(&random));
        check_every_bit_is_found(word | quick_random_next(&random) | quick_random_next(&random));
    }
}

TEST_GROUP(bits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_bit_of_any_word_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
