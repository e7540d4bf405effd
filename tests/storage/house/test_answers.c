#include "storage/house/house.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

struct seen {
    char text[64];
    size_t max_count;
    size_t count;
};

static bool collect_answer(void *context, const void *bytes, size_t len)
{
    struct seen *seen = context;
    strncat(seen->text, bytes, len);
    return ++seen->count < seen->max_count;
}

static void stored_answers_to_requests_are_read_in_order_until_they_are_deleted(void **state)
{
    struct fixture *fixture = *state;
    static const char *const words[] = {"one ", "two ", "three "};
    int64_t numbers[ARRAY_LEN(words)];

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        assert_ok(storage_answers_add(fixture->storage, words[i], strlen(words[i]), &numbers[i]));
        assert_true(i == 0 || numbers[i] > numbers[i - 1]);
    }
    fixture_commit(fixture);
    fixture_reopen(fixture);
    struct seen all = {.max_count = 9};
    assert_ok(storage_answers_each(fixture->storage, collect_answer, &all));
    assert_string_equal(all.text, "one two three ");
    struct seen first = {.max_count = 1};
    assert_ok(storage_answers_each(fixture->storage, collect_answer, &first));
    assert_string_equal(first.text, "one ");
    assert_ok(storage_answers_delete(fixture->storage, numbers[1]));
    struct seen left = {.max_count = 9};
    assert_ok(storage_answers_each(fixture->storage, collect_answer, &left));
    assert_string_equal(left.text, "two three ");
}

TEST_GROUP(answers)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(stored_answers_to_requests_are_read_in_order_until_they_are_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
