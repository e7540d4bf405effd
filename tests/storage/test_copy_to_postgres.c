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
    assert_ok(sql_read_number(unchanged, "SELECT count(*) FROM moves", &rows));
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

/* PostgreSQL spoils the rows of ratings, of the accounts 3 and 4, as a trigger's body says. */
static void expect_difference(const struct fixture *fixture, const char *body, const char *words)
{
    char sql[512];
    copy_fixture_empty_database();
    copy_fixture_make_tables();
    (void)snprintf(sql, sizeof sql,
                   "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s"
                   " RETURN NEW; END $$; CREATE TRIGGER spoil BEFORE INSERT ON ratings"
                   " FOR EACH ROW EXECUTE FUNCTION spoil()",
                   body);
    copy_fixture_change_database(sql);
    copy_fixture_expect_refusal(fixture, STORAGE_CORRUPT, words);
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM accounts"), "0");
}

static void each_difference_is_found_and_named(void **state)
{
    const struct fixture *fixture = *state;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    expect_difference(
        fixture, "IF NEW.account = 3 THEN NEW.mu := '0.10000000000000002'; END IF;",
        "table ratings, row with account 3, game whist, season 0: PostgreSQL has another value"
        " in the column mu");
    expect_difference(
        fixture, "IF NEW.account = 4 THEN NEW.best_ms := 2; END IF;",
        "table ratings, row with account 4, game whist, season 1: PostgreSQL has another value"
        " in the column best_ms");
    expect_difference(
        fixture, "IF NEW.account = 4 THEN RETURN NULL; END IF;",
        "table ratings, row with account 4, game whist, season 1: PostgreSQL does not have it");
    expect_difference(
        fixture, "IF NEW.account = 3 THEN RETURN NULL; END IF;",
        "table ratings, row with account 3, game whist, season 0: PostgreSQL has another row"
        " in its place");
    expect_difference(fixture,
                      "IF NEW.game <> 'x' THEN INSERT INTO ratings SELECT 4, 'x', 1, 0, 0, 0, 0, 0,"
                      " 0, 0, 0, 0, 0, 0, 0, 0 ON CONFLICT DO NOTHING; END IF;",
                      "table ratings: PostgreSQL has more rows");
}

static void what_postgresql_lacks_is_not_left_out_silently(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, "CREATE TABLE later (n INTEGER PRIMARY KEY) STRICT;");
    copy_fixture_expect_copy(fixture, &report); /* an empty table loses nothing */
    copy_fixture_empty_database();
    copy_fixture_change_file(fixture, "INSERT INTO later VALUES (1)");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "table later: it has rows");
    copy_fixture_change_file(fixture, "DROP TABLE later; ALTER TABLE news ADD COLUMN more TEXT");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news, column more: PostgreSQL does not have");
    copy_fixture_change_file(fixture, "ALTER TABLE news DROP COLUMN more");
    copy_fixture_change_database("ALTER TABLE news ADD COLUMN more text");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news: PostgreSQL has more columns");
    copy_fixture_change_database(
        "ALTER TABLE news DROP COLUMN more; ALTER TABLE news ALTER text TYPE bytea"
        " USING text::bytea");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news, column text: PostgreSQL has it with");
}

static void tables_and_columns_added_later_are_copied_without_a_further_step(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_make_tables();
    copy_fixture_change_file(fixture,
                             "CREATE TABLE later (name TEXT, n INTEGER, \"left\" REAL, b BLOB,"
                             " t TEXT, PRIMARY KEY (n, name)) STRICT, WITHOUT ROWID;"
                             "INSERT INTO later VALUES ('b', 1, 0.5, NULL, 'x'),"
                             " ('a', 1, NULL, x'00', NULL), ('c', 1, 1, x'', '');"
                             "ALTER TABLE news ADD COLUMN later TEXT NOT NULL DEFAULT '';"
                             "INSERT INTO news (at_ms, text, later) VALUES (1, 'x', 'y')");
    copy_fixture_change_database("SET ROLE house; CREATE TABLE later (name text, n bigint, b bytea,"
                                 " t text, \"left\" double precision, PRIMARY KEY (n, name));"
                                 "ALTER TABLE news ADD COLUMN later text NOT NULL DEFAULT ''");
    copy_fixture_expect_copy(fixture, &report);
    assert_non_null(strstr(report.equal, " later=3 "));
    assert_string_equal(copy_fixture_ask("SELECT later FROM news"), "y");
    assert_string_equal(copy_fixture_ask("SELECT \"left\" FROM later WHERE name = 'b'"), "0.5");
    assert_string_equal(copy_fixture_ask("SELECT t IS NULL FROM later WHERE name = 'a'"), "t");
    assert_string_equal(copy_fixture_ask("SELECT b IS NULL FROM later WHERE name = 'c'"), "f");
}

static void a_text_with_a_zero_byte_is_refused_and_not_cut(void **state)
{
    const struct fixture *fixture = *state;
    copy_fixture_change_file(fixture, "INSERT INTO meta VALUES ('motd', CAST(x'410042' AS TEXT))");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "table meta, row with name motd");
}

static void a_copy_may_take_long_whatever_the_database_says(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_make_tables();
    copy_fixture_change_database(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2);"
        " RETURN NEW; END $$; CREATE TRIGGER wait BEFORE INSERT ON games"
        " FOR EACH ROW EXECUTE FUNCTION wait(); ALTER DATABASE house SET statement_timeout = 1500");
    copy_fixture_expect_copy(fixture, &report);
}

static void rows_come_back_in_several_batches(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL"
                                      " SELECT i + 1 FROM n WHERE i < 8192)"
                                      " INSERT INTO rules SELECT 1, printf('%06d', i), i FROM n");
    copy_fixture_expect_copy(fixture, &report);
    assert_non_null(strstr(report.equal, " rules=8192 "));
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
        COPY_TEST(each_difference_is_found_and_named),
        COPY_TEST(what_postgresql_lacks_is_not_left_out_silently),
        COPY_TEST(tables_and_columns_added_later_are_copied_without_a_further_step),
        COPY_TEST(a_text_with_a_zero_byte_is_refused_and_not_cut),
        COPY_TEST(a_copy_may_take_long_whatever_the_database_says),
        COPY_TEST(rows_come_back_in_several_batches),
    };
    return COPY_FIXTURE_RUN(tests);
}
