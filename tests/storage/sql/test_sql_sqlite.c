#include "storage/sql/sql.h"

#include "storage/house/house.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

static void foreign_keys_are_enforced_and_commits_are_synced(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(fixture_read_number(fixture->storage, "PRAGMA foreign_keys"), 1);
    assert_int_equal(fixture_read_number(fixture->storage, "PRAGMA synchronous"), 2);
    assert_int_equal(fixture_read_number(fixture->storage, "PRAGMA cell_size_check"), 1);
    assert_int_equal(fixture_read_number(fixture->storage, "PRAGMA trusted_schema"), 0);
    assert_int_equal(fixture_read_number(fixture->storage, "SELECT journal_mode = 'wal'"
                                                           " FROM pragma_journal_mode"),
                     1);
}

/* Makes SQLite's own failures, without a disk that fails. */
static void a_failure_of_sqlite_has_the_result_that_callers_act_on(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        int code;
        enum storage_result result;
    } failures[] = {
        {SQLITE_CONSTRAINT_UNIQUE, STORAGE_TAKEN},
        {SQLITE_CONSTRAINT_PRIMARYKEY, STORAGE_TAKEN},
        {SQLITE_CONSTRAINT_ROWID, STORAGE_TAKEN},
        {SQLITE_CONSTRAINT_NOTNULL, STORAGE_REFUSED},
        {SQLITE_CONSTRAINT_FOREIGNKEY, STORAGE_REFUSED},
        {SQLITE_TOOBIG, STORAGE_REFUSED},
        {SQLITE_BUSY, STORAGE_LOCKED},
        {SQLITE_FULL, STORAGE_FULL},
        {SQLITE_IOERR_FSYNC, STORAGE_IO},
        {SQLITE_CORRUPT_INDEX, STORAGE_CORRUPT},
    };

    for (size_t i = 0; i < ARRAY_LEN(failures); i++) {
        assert_result(sql_sqlite_handle_failure(fixture->storage, failures[i].code),
                      failures[i].result);
    }
}

static void after_a_failed_write_the_transaction_is_undone_and_later_ones_fail(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;

    assert_ok(storage_meta_set(storage, "word", "value"));
    assert_result(sql_sqlite_handle_failure(storage, SQLITE_IOERR_WRITE), STORAGE_IO);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM meta WHERE name = 'word'"),
                     0);
    assert_result(storage_commit(storage), STORAGE_IO);
    assert_result(storage_meta_set(storage, "word", "value"), STORAGE_IO);
}

/* SQLite stores whatever bytes another program has given it. */
static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    struct fixture *fixture = *state;
    char text[16];
    struct sql q = sql_read(fixture->storage, "SELECT CAST(X'41E942C3A4F0C3' AS TEXT)");

    assert_true(sql_first_row(&q));
    sql_read_text(&q, text, sizeof text);
    assert_string_equal(text, "A?Bä??");
    assert_ok(sql_end(&q));
}

TEST_GROUP(sql_sqlite)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(foreign_keys_are_enforced_and_commits_are_synced),
        FIXTURE_TEST(a_failure_of_sqlite_has_the_result_that_callers_act_on),
        FIXTURE_TEST(after_a_failed_write_the_transaction_is_undone_and_later_ones_fail),
        FIXTURE_TEST(bytes_that_are_no_utf8_are_replaced),
    };
    return cmocka_run_group_tests_name("sql_sqlite", tests, NULL, NULL);
}
