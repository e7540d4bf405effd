#include "storage/sql/postgres.h"

#include "storage/house/house.h"
#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

#define NOTES (READ_AHEAD_MAX * 2 + 5)

static enum storage_result read_note(struct storage *storage, int number, char value[])
{
    char name[16];

    (void)snprintf(name, sizeof name, "note%d", number);
    return storage_meta_get(storage, name, value);
}

static void set_note(struct storage *storage, int number)
{
    char name[16], value[16];

    (void)snprintf(name, sizeof name, "note%d", number);
    (void)snprintf(value, sizeof value, "%d", number);
    assert_ok(storage_meta_set(storage, name, value));
}

static void a_file_reads_nothing_ahead(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(storage_read_ahead_begin(fixture->storage), fixture->storage->db == NULL);
    if (fixture->storage->db == NULL) {
        assert_ok(storage_read_ahead_end(fixture->storage));
    }
}

static void what_is_read_ahead_needs_no_round_trip_afterwards(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    char value[STORAGE_META_SIZE] = "";

    SKIP_ON_SQLITE();
    for (int i = 0; i < NOTES; i++) {
        set_note(storage, i);
    }
    uint64_t waits = storage->round_trips;
    assert_true(storage_read_ahead_begin(storage));
    for (int i = 0; i <= NOTES; i++) {
        assert_result(read_note(storage, i, value), STORAGE_NOT_FOUND);
    }
    assert_string_equal(value, "");
    assert_ok(storage_read_ahead_end(storage));
    assert_int_equal(storage->round_trips - waits, 3);
    waits = storage->round_trips;
    for (int i = 0; i < NOTES; i++) {
        assert_ok(read_note(storage, i, value));
        assert_int_equal(strtol(value, NULL, 10), i);
    }
    assert_result(read_note(storage, NOTES, value), STORAGE_NOT_FOUND);
    /* a few may have taken the place of others */
    assert_in_range(storage->round_trips - waits, 0, NOTES / 50);
}

static void what_is_written_afterwards_is_found(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE] = "";

    SKIP_ON_SQLITE();
    assert_true(storage_read_ahead_begin(fixture->storage));
    assert_result(read_note(fixture->storage, 1, value), STORAGE_NOT_FOUND);
    assert_ok(storage_read_ahead_end(fixture->storage));
    set_note(fixture->storage, 1);
    assert_ok(read_note(fixture->storage, 1, value));
    assert_string_equal(value, "1");
}

static void a_read_that_cannot_be_kept_is_made_later(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT 7 + ?";
    int64_t number = 0;

    SKIP_ON_SQLITE();
    assert_true(storage_read_ahead_begin(fixture->storage));
    assert_result(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(1)), &number),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_read_ahead_end(fixture->storage));
    assert_ok(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(1)), &number));
    assert_int_equal(number, 8);
}

static void a_failure_is_told_at_the_end(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT 1 / ? FROM meta";
    int64_t number = 0;

    SKIP_ON_SQLITE();
    set_note(fixture->storage, 1);
    assert_true(storage_read_ahead_begin(fixture->storage));
    assert_result(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(0)), &number),
                  STORAGE_NOT_FOUND);
    assert_result(storage_read_ahead_end(fixture->storage), STORAGE_IO);
}

TEST_GROUP(read_ahead)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_file_reads_nothing_ahead),
        FIXTURE_TEST(what_is_read_ahead_needs_no_round_trip_afterwards),
        FIXTURE_TEST(what_is_written_afterwards_is_found),
        FIXTURE_TEST(a_read_that_cannot_be_kept_is_made_later),
        FIXTURE_TEST(a_failure_is_told_at_the_end),
    };
    return cmocka_run_group_tests_name("read_ahead", tests, NULL, NULL);
}
