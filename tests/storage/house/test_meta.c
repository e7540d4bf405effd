#include "storage/house/house.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

static void a_value_of_the_house_is_stored_by_name(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE] = "untouched";

    assert_result(storage_meta_get(fixture->storage, "motd", value), STORAGE_NOT_FOUND);
    assert_string_equal(value, "untouched");
    assert_ok(storage_meta_set(fixture->storage, "motd", "hello"));
    assert_ok(storage_meta_set(fixture->storage, "motd", "welcome"));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_meta_get(fixture->storage, "motd", value));
    assert_string_equal(value, "welcome");
}

static void a_value_that_is_longer_than_its_buffer_is_refused(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE + 1];
    char found[STORAGE_META_SIZE];
    char name[STORAGE_WORD_SIZE + 1];

    memset(value, 'v', sizeof value);
    memset(name, 'n', sizeof name);
    value[STORAGE_META_SIZE - 1] = '\0';
    name[STORAGE_WORD_SIZE - 1] = '\0';
    assert_ok(storage_meta_set(fixture->storage, name, value));
    assert_ok(storage_meta_get(fixture->storage, name, found));
    assert_string_equal(found, value);
    value[STORAGE_META_SIZE - 1] = 'v';
    value[STORAGE_META_SIZE] = '\0';
    assert_result(storage_meta_set(fixture->storage, name, value), STORAGE_REFUSED);
    assert_ok(storage_meta_get(fixture->storage, name, found));
    assert_int_equal(strlen(found), STORAGE_META_SIZE - 1);
    name[STORAGE_WORD_SIZE - 1] = 'n';
    name[STORAGE_WORD_SIZE] = '\0';
    assert_result(storage_meta_set(fixture->storage, name, "x"), STORAGE_REFUSED);
    assert_result(storage_meta_get(fixture->storage, name, found), STORAGE_REFUSED);
}

static void setting_a_value_leaves_values_of_other_names_unchanged(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];

    assert_ok(storage_meta_set(fixture->storage, "one", "1"));
    assert_ok(storage_meta_set(fixture->storage, "two", "2"));
    assert_ok(storage_meta_set(fixture->storage, "two", ""));
    assert_ok(storage_meta_get(fixture->storage, "one", value));
    assert_string_equal(value, "1");
    assert_ok(storage_meta_get(fixture->storage, "two", value));
    assert_string_equal(value, "");
}

static void a_counter_never_gives_the_same_number_twice(void **state)
{
    struct fixture *fixture = *state;
    int64_t first = 0;

    assert_ok(storage_counter_reserve(fixture->storage, "guest", 1, &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_reserve(fixture->storage, "guest", 5, &first));
    assert_int_equal(first, 2);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_counter_reserve(fixture->storage, "guest", 1, &first));
    assert_int_equal(first, 7);
    assert_ok(storage_counter_reserve(fixture->storage, "connection", 1, &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_raise(fixture->storage, "connection", 50));
    assert_ok(storage_counter_raise(fixture->storage, "connection", 40));
    assert_ok(storage_counter_reserve(fixture->storage, "connection", 1, &first));
    assert_int_equal(first, 50);
    assert_ok(storage_counter_read(fixture->storage, "connection", &first));
    assert_int_equal(first, 51);
    assert_ok(storage_counter_read(fixture->storage, "fresh", &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_raise(fixture->storage, "fresh", -4));
    assert_ok(storage_counter_reserve(fixture->storage, "fresh", 1, &first));
    assert_int_equal(first, 1);
}

static void numbers_taken_in_a_rolled_back_transaction_may_be_given_out_again(void **state)
{
    struct fixture *fixture = *state;
    int64_t first = 0;

    assert_ok(storage_counter_reserve(fixture->storage, "guest", 3, &first));
    fixture_commit(fixture);
    assert_ok(storage_counter_reserve(fixture->storage, "guest", 5, &first));
    assert_int_equal(first, 4);
    storage_rollback(fixture->storage);
    assert_ok(storage_counter_reserve(fixture->storage, "guest", 1, &first));
    assert_int_equal(first, 4);
}

TEST_GROUP(meta)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_value_of_the_house_is_stored_by_name),
        FIXTURE_TEST(a_value_that_is_longer_than_its_buffer_is_refused),
        FIXTURE_TEST(setting_a_value_leaves_values_of_other_names_unchanged),
        FIXTURE_TEST(a_counter_never_gives_the_same_number_twice),
        FIXTURE_TEST(numbers_taken_in_a_rolled_back_transaction_may_be_given_out_again),
    };

    return cmocka_run_group_tests_name("meta", tests, NULL, NULL);
}
