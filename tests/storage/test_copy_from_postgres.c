#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A house comes back from PostgreSQL completely or not at all. */

/* Writes the path of the file that the database is copied to. */
static void write_path(const struct fixture *fixture, char path[128])
{
    (void)snprintf(path, 128, "%s/back.db", fixture->folder);
}

static void expect_copy_back(const char *path)
{
    struct copy_fixture_report report = {.equal = ""};
    char why[STORAGE_WHY_SIZE] = "";
    if (storage_copy_from_postgres(copy_fixture_url, path, copy_fixture_note_progress, &report,
                                   why) != STORAGE_OK) {
        fail_msg("%s", why);
    }
    assert_non_null(strstr(report.equal, "accounts=2 "));
}

/* Expects a failure with these words, after which there is no file. */
static void expect_no_copy_back(const struct fixture *fixture, enum storage_result expected,
                                const char *expected_words)
{
    struct copy_fixture_report report = {.equal = ""};
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];
    write_path(fixture, path);
    assert_result(storage_copy_from_postgres(copy_fixture_url, path, copy_fixture_note_progress,
                                             &report, why),
                  expected);
    if (strstr(why, expected_words) == NULL) {
        fail_msg("expected \"%s\" in \"%s\"", expected_words, why);
    }
    assert_int_equal(access(path, F_OK), -1);
}

/* Writes all that a query finds in a file, in one text. */
static void read_text(const char *path, const char *query, char *text, size_t size)
{
    char why[STORAGE_WHY_SIZE] = "";
    struct storage *storage = NULL;
    assert_ok(storage_open_read_only(path, &storage, why));
    struct sql q = sql_read_once(storage, query);
    assert_true(sql_next_row(&q));
    (void)snprintf(text, size, "%s", sql_borrow_text(&q));
    assert_ok(sql_end_once(&q));
    storage_close(storage);
}

static void expect_same(const struct fixture *fixture, const char *path, const char *query)
{
    static char before[65536], after[65536];
    read_text(fixture->path, query, before, sizeof before);
    read_text(path, query, after, sizeof after);
    assert_string_equal(before, after);
    assert_true(before[0] != '\0');
}

static void a_house_comes_back_as_it_was(void **state)
{
    const struct fixture *fixture = *state;
    struct storage_summary summary;
    struct copy_fixture_report report;
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    write_path(fixture, path);
    expect_copy_back(path);
    assert_ok(storage_check_file(path, &summary, why));
    expect_same(fixture, path,
                "SELECT group_concat(quote(id) || quote(name) || quote(password_hash) ||"
                " quote(settings) || quote(created_ms) || quote(seen_ms)) FROM accounts");
    expect_same(fixture, path, "SELECT group_concat(hex(seed)) FROM games");
    expect_same(
        fixture, path,
        "SELECT group_concat(format('%!.20g %!.20g %!.20g', mu, sigma, wins)) FROM ratings");
    expect_same(fixture, path,
                "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)");
    expect_same(fixture, path, "SELECT group_concat(move, '-') FROM moves");
    expect_same(fixture, path, "SELECT count(*) || 'x' FROM meta");
}

static void a_house_that_comes_back_goes_on_with_the_next_numbers(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    char number[32];
    char path[128];
    write_path(fixture, path);
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    copy_fixture_change_database("INSERT INTO accounts (name, skeleton, kind, role, password_hash,"
                                 " settings, created_ms, seen_ms)"
                                 " VALUES ('new', 'new', 0, 0, '', '', 0, 0);"
                                 "DELETE FROM accounts WHERE name = 'new'");
    expect_copy_back(path);
    read_text(path, "SELECT seq FROM sqlite_sequence WHERE name = 'accounts'", number,
              sizeof number);
    assert_string_equal(number, "5");
    expect_same(fixture, path, "SELECT seq FROM sqlite_sequence WHERE name = 'games'");
}

static void a_copy_changes_nothing_in_the_database(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    char path[128];
    write_path(fixture, path);
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    copy_fixture_expect_copy(fixture, &report);
    expect_copy_back(path);
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM accounts"), "2");
    assert_string_equal(copy_fixture_ask("SELECT count(*) FROM meta WHERE name = 'schema_version'"),
                        "1");
}

static void an_existing_file_is_kept(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report = {.equal = ""};
    char why[STORAGE_WHY_SIZE] = "";
    copy_fixture_make_tables();
    assert_result(storage_copy_from_postgres(copy_fixture_url, fixture->path,
                                             copy_fixture_note_progress, &report, why),
                  STORAGE_TAKEN);
    assert_int_equal(access(fixture->path, F_OK), 0);
}

static void what_is_no_house_of_this_version_is_refused_and_leaves_no_file(void **state)
{
    const struct fixture *fixture = *state;
    expect_no_copy_back(fixture, STORAGE_FOREIGN, "does not hold the data of a house");
    copy_fixture_make_tables();
    copy_fixture_change_database("UPDATE meta SET value = '7' WHERE name = 'schema_version'");
    expect_no_copy_back(fixture, STORAGE_REFUSED, "another version of the program");
    copy_fixture_change_database("INSERT INTO meta VALUES ('schema', '39')");
    expect_no_copy_back(fixture, STORAGE_OLDER, "0.2.0 or older (data format 39)");
    copy_fixture_empty_database();
    copy_fixture_make_tables();
    copy_fixture_change_database(
        "ALTER TABLE rules DROP CONSTRAINT rules_pkey;"
        "ALTER TABLE rules ALTER name DROP NOT NULL; INSERT INTO rules VALUES (1, NULL, 1)");
    expect_no_copy_back(fixture, STORAGE_REFUSED, "table rules: ");
}

static void a_url_that_cannot_be_read_is_not_repeated(void **state)
{
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];
    write_path(*state, path);
    assert_result(
        storage_copy_from_postgres("postgresql://me:secret@[::1/house", path, NULL, NULL, why),
        STORAGE_IO);
    assert_string_equal(why, "the URL of the database is malformed");
}

static void a_refused_connection_is_described_in_one_line_without_the_password(void **state)
{
    static const char wrong[] = "not-the-password";
    char right[64];
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];
    write_path(*state, path);
    (void)snprintf(right, sizeof right, "%s", getenv("PGPASSWORD"));
    assert_int_equal(setenv("PGPASSWORD", wrong, 1), 0);
    assert_result(storage_copy_from_postgres(copy_fixture_url, path, NULL, NULL, why), STORAGE_IO);
    assert_int_equal(setenv("PGPASSWORD", right, 1), 0);
    assert_non_null(strstr(why, "password authentication failed"));
    assert_null(strchr(why, '\n'));
    assert_null(strstr(why, wrong));
}

TEST_GROUP(copy_from_postgres)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(a_house_comes_back_as_it_was),
        COPY_TEST(a_house_that_comes_back_goes_on_with_the_next_numbers),
        COPY_TEST(a_copy_changes_nothing_in_the_database),
        COPY_TEST(an_existing_file_is_kept),
        COPY_TEST(what_is_no_house_of_this_version_is_refused_and_leaves_no_file),
        COPY_TEST(a_url_that_cannot_be_read_is_not_repeated),
        COPY_TEST(a_refused_connection_is_described_in_one_line_without_the_password),
    };
    return COPY_FIXTURE_RUN(tests);
}
