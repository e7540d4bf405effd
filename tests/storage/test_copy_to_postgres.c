#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* A house is copied to PostgreSQL completely or not at all. */

static void every_value_is_copied_to_the_last_bit(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    assert_non_null(strstr(report.equal, " accounts=2 "));
    assert_non_null(strstr(report.equal, " moves=2 "));
    assert_non_null(strstr(report.equal, " ratings=2 "));
    assert_string_equal(copy_fixture_ask("SELECT encode(float8send(wins), 'hex') FROM ratings"
                                         " WHERE account = 3"),
                        "0000000000000001");
    assert_string_equal(copy_fixture_ask("SELECT encode(float8send(sigma), 'hex') FROM ratings"
                                         " WHERE account = 3"),
                        "3fd5555555555555");
    assert_string_equal(copy_fixture_ask("SELECT created_ms FROM accounts WHERE id = 3"),
                        "-9223372036854775808");
    assert_string_equal(
        copy_fixture_ask("SELECT encode(password_hash::bytea, 'hex') FROM"
                         " (SELECT convert_to(password_hash, 'UTF8') AS password_hash"
                         " FROM accounts WHERE id = 4) AS a"),
        "5c4e090a0d01");
    assert_string_equal(copy_fixture_ask("SELECT encode(seed, 'hex') FROM games"),
                        "000102030405060708090a0b0c0d0e0f5c27ff800a0d22090000000000000000");
    assert_string_equal(copy_fixture_ask("SELECT host IS NULL FROM tables"), "t");
}

static void a_copied_house_can_be_opened(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    struct storage *copied = NULL;
    struct storage_account account;
    char why[STORAGE_WHY_SIZE] = "";
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    assert_ok(storage_open(copy_fixture_url, &copied, why));
    assert_ok(storage_account_by_name(copied, "雀", &account));
    assert_int_equal(account.id, 4);
    storage_close(copied);
}

static void the_file_stays_as_it_was(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    struct storage *unchanged = NULL;
    char why[STORAGE_WHY_SIZE] = "";
    int64_t rows = -1;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    assert_ok(storage_open_read_only(fixture->path, &unchanged, why));
    assert_ok(sql_read_number(unchanged, "SELECT count(*) FROM meta", &rows));
    assert_int_equal(rows, 0);
    assert_ok(sql_read_number(unchanged, "SELECT count(*) FROM moves_new", &rows));
    assert_int_equal(rows, 2);
    storage_close(unchanged);
}

static void a_database_with_a_house_is_refused(void **state)
{
    const struct fixture *fixture = *state;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_make_tables();
    copy_fixture_change_database("INSERT INTO news (at_ms, text) VALUES (1, 'hello')");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "its table news is not empty");
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM accounts"), "0");
    copy_fixture_change_database(
        "DELETE FROM news; INSERT INTO meta (name, value) VALUES ('motd', 'x')");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "its table meta is not empty");
}

static void a_database_of_another_program_is_refused(void **state)
{
    copy_fixture_change_database("SET ROLE house; CREATE TABLE theirs (n int)");
    copy_fixture_expect_refusal(*state, STORAGE_FOREIGN, "belongs to some other program");
}

/* The triggers are back and the references hold, as before the copy. */
static void expect_whole_schema(void)
{
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
                                         " AND tgenabled <> 'O'"),
                        "0");
    assert_string_not_equal(
        copy_fixture_ask("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"), "0");
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM pg_constraint WHERE contype = 'f'"
                                         " AND conname LIKE 'games%' AND convalidated"),
                        "1");
}

static void a_row_that_postgresql_refuses_is_named_and_nothing_is_copied(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES
                             "INSERT INTO rules VALUES (1, 'a', 1), (1, 'b', 1),"
                             " (2, CAST(x'c3' AS TEXT), 1), (3, 'c', 1)");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "table rules, row with kind 2, name ");
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM accounts"), "0");
    expect_whole_schema();
    copy_fixture_change_file(fixture, "DELETE FROM rules WHERE kind = 2");
    copy_fixture_expect_copy(fixture, &report); /* the same database takes the mended file */
    expect_whole_schema();
}

static void a_row_that_refers_to_none_is_named_and_nothing_is_copied(void **state)
{
    const struct fixture *fixture = *state;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES
                             "PRAGMA foreign_keys = OFF;"
                             "INSERT INTO keys VALUES ('SHA256:x', 77, 'ssh-rsa', 1)");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "Key (account)=(77) is not present");
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM accounts"), "0");
}

static void numbers_go_on_after_the_highest_one_ever_given(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES
                             "INSERT INTO accounts SELECT 90, 'gone', 'gone', kind, role,"
                             " password_hash, settings, 0, 0, 0, 0 FROM accounts"
                             " WHERE id = 3; DELETE FROM accounts WHERE id = 90");
    copy_fixture_expect_copy(fixture, &report);
    assert_string_equal(copy_fixture_ask("INSERT INTO accounts (name, skeleton, kind, role,"
                                         " password_hash, settings, created_ms, seen_ms)"
                                         " VALUES ('new', 'new', 0, 0, '', '', 0, 0) RETURNING id"),
                        "91");
    assert_string_equal(copy_fixture_ask("INSERT INTO news (at_ms, text) VALUES (1, 'x')"
                                         " RETURNING id"),
                        "1");
}

TEST_GROUP(copy_to_postgres)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(every_value_is_copied_to_the_last_bit),
        COPY_TEST(a_copied_house_can_be_opened),
        COPY_TEST(the_file_stays_as_it_was),
        COPY_TEST(a_database_with_a_house_is_refused),
        COPY_TEST(a_database_of_another_program_is_refused),
        COPY_TEST(a_row_that_postgresql_refuses_is_named_and_nothing_is_copied),
        COPY_TEST(a_row_that_refers_to_none_is_named_and_nothing_is_copied),
        COPY_TEST(numbers_go_on_after_the_highest_one_ever_given),
    };
    return COPY_FIXTURE_RUN(tests);
}
