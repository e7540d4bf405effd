#include "daemon/base/base.h"
#include "tests/unit.h"

static void bytes_are_kept_in_order(void **state)
{
    (void)state;
    struct bytes bytes;
    bytes_init(&bytes, 100);
    assert_true(bytes_add(&bytes, "one ", 4));
    assert_true(bytes_add(&bytes, "", 0));
    assert_true(bytes_add(&bytes, "two", 3));
    assert_int_equal(bytes.len, 7);
    assert_memory_equal(bytes.at, "one two", 7);
    bytes_clear(&bytes);
}

static void an_addition_beyond_the_limit_adds_nothing(void **state)
{
    (void)state;
    struct bytes bytes;
    bytes_init(&bytes, 1000);
    char block[999] = {'a'};
    assert_true(bytes_add(&bytes, block, sizeof block));
    assert_false(bytes_add(&bytes, "bc", 2));
    assert_int_equal(bytes.len, 999);
    assert_true(bytes_add(&bytes, "b", 1));
    assert_false(bytes_add(&bytes, "c", 1));
    assert_false(bytes_add(&bytes, "c", SIZE_MAX));
    assert_int_equal(bytes.len, 1000);
    assert_true(bytes.cap <= bytes.max);
    bytes_clear(&bytes);
}

static void dropped_bytes_are_removed_from_the_start(void **state)
{
    (void)state;
    struct bytes bytes;
    bytes_init(&bytes, 100);
    bytes_drop_first(&bytes, 0);
    assert_true(bytes_add(&bytes, "abcdef", 6));
    bytes_drop_first(&bytes, 2);
    assert_int_equal(bytes.len, 4);
    assert_memory_equal(bytes.at, "cdef", 4);
    bytes_drop_first(&bytes, 3);
    assert_int_equal(bytes.len, 1);
    assert_memory_equal(bytes.at, "f", 1);
    bytes_drop_first(&bytes, 1);
    assert_int_equal(bytes.len, 0);
    bytes_clear(&bytes);
}

static void a_cleared_buffer_can_be_used_again(void **state)
{
    (void)state;
    struct bytes bytes;
    bytes_init(&bytes, 10);
    assert_true(bytes_add(&bytes, "abc", 3));
    bytes_clear(&bytes);
    bytes_clear(&bytes);
    assert_int_equal(bytes.len, 0);
    assert_true(bytes_add(&bytes, "0123456789", 10));
    assert_false(bytes_add(&bytes, "x", 1));
    bytes_clear(&bytes);
}

TEST_GROUP(bytes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_kept_in_order),
        cmocka_unit_test(an_addition_beyond_the_limit_adds_nothing),
        cmocka_unit_test(dropped_bytes_are_removed_from_the_start),
        cmocka_unit_test(a_cleared_buffer_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
