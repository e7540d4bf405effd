#include "storage/sql/postgres.h"

#include "storage/chat/chat.h"
#include "storage/copies.h"
#include "storage/house/house.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Asserts that no storage can be opened there, and that `why` is one line without the password. */
static void assert_cannot_open(const char *url, const char *expected_word)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;

    assert_result(storage_open(url, &storage, why), STORAGE_IO);
    assert_null(storage);
    if (strstr(why, expected_word) == NULL) {
        fail_msg("\"%s\" is not in: %s", expected_word, why);
    }
    assert_null(strchr(why, '\n'));
    assert_null(strstr(why, "sesame"));
}

static void a_database_that_cannot_be_reached_is_reported_without_the_password(void **state)
{
    (void)state;
    assert_cannot_open("postgresql://house:sesame@127.0.0.1:1/house", "Connection refused");
    assert_cannot_open("postgresql://house:sesame%zz@127.0.0.1/house", "malformed");
    assert_cannot_open("postgres://house:sesame@127.0.0.1/house?nonsense=sesame", "malformed");
}

static void assert_setting(struct storage *storage, const char *name, const char *expected)
{
    char value[32] = "";
    struct sql *q = SQL_READ(storage, "SELECT current_setting(?)", SQL_TEXT(name, 64));

    if (sql_first_row(q)) {
        sql_read_text(q, value, sizeof value);
    }
    assert_ok(sql_end(q));
    assert_string_equal(value, expected);
}

static void the_session_does_not_depend_on_settings_of_the_server(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_true(postgres_schema_run(fixture->path,
                                    "ALTER ROLE CURRENT_USER SET extra_float_digits = -10;"
                                    "ALTER ROLE CURRENT_USER SET statement_timeout = 1000;"
                                    "ALTER ROLE CURRENT_USER SET bytea_output = 'escape'"));
    fixture_reopen(fixture);
    assert_true(postgres_schema_run(fixture->path, "ALTER ROLE CURRENT_USER RESET ALL"));
    assert_setting(fixture->storage, "synchronous_commit", "off");
    assert_setting(fixture->storage, "client_encoding", "UTF8");
    assert_setting(fixture->storage, "standard_conforming_strings", "on");
    assert_setting(fixture->storage, "statement_timeout", "0");
    assert_setting(fixture->storage, "extra_float_digits", "1");
    assert_setting(fixture->storage, "bytea_output", "hex");
    assert_setting(fixture->storage, "application_name", "trickhouse");
}

static void a_lost_connection_is_final(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    char value[STORAGE_META_SIZE];

    SKIP_ON_SQLITE();
    assert_ok(storage_meta_set(storage, "x", "1"));
    fixture_commit(fixture);
    assert_ok(storage_meta_set(storage, "x", "2"));
    struct sql *end = SQL_READ(storage, "SELECT pg_terminate_backend(pg_backend_pid())", SQL_NONE);
    assert_result(sql_run(end), STORAGE_IO);
    assert_string_not_equal(storage_last_failure(storage), "");
    assert_null(strchr(storage_last_failure(storage), '\n'));
    assert_result(storage_meta_set(storage, "x", "3"), STORAGE_IO);
    assert_result(storage_commit(storage), STORAGE_IO);
    assert_result(storage_meta_get(storage, "x", value), STORAGE_IO);
    storage_rollback(storage);
    assert_true(storage_is_dirty(storage));
    assert_result(storage_commit(storage), STORAGE_IO);
    fixture_reopen(fixture);
    assert_ok(storage_meta_get(fixture->storage, "x", value));
    assert_string_equal(value, "1");
}

/* Makes the database refuse each row of a table. */
static void refuse_rows(struct fixture *fixture, const char *table, const char *code)
{
    char script[512];

    (void)snprintf(script, sizeof script,
                   "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE"
                   " EXCEPTION E'two\\nlines' USING ERRCODE = '%s'; END $$;"
                   "CREATE TRIGGER refuse BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION"
                   " refuse()",
                   code, table);
    assert_true(postgres_schema_run(fixture->path, script));
}

static void accept_rows(struct fixture *fixture)
{
    assert_true(postgres_schema_run(fixture->path, "DROP FUNCTION refuse CASCADE"));
}

static void a_deferred_write_that_fails_fails_its_commit(void **state)
{
    struct fixture *fixture = *state;
    int64_t id = 0;

    SKIP_ON_SQLITE();
    refuse_rows(fixture, "meta", "23514");
    assert_ok(storage_news_add(fixture->storage, &(struct storage_news){.text = "lost"}, &id));
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_result(storage_commit(fixture->storage), STORAGE_IO);
    assert_string_equal(storage_last_failure(fixture->storage), "two (23514)");
    assert_result(storage_commit(fixture->storage), STORAGE_IO);
    accept_rows(fixture);
    fixture_reopen(fixture);
    assert_int_equal(fixture_read_number(fixture->storage, "SELECT count(*) FROM news"), 0);
}

static void a_deferred_write_that_fails_fails_the_next_statement_that_waits(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];

    SKIP_ON_SQLITE();
    refuse_rows(fixture, "meta", "23505");
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_result(storage_meta_get(fixture->storage, "y", value), STORAGE_IO);
    assert_result(storage_commit(fixture->storage), STORAGE_IO);
    accept_rows(fixture);
}

static void after_a_full_disk_later_transactions_succeed(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct storage_news news = {.text = "news"};
    int64_t id = 0;

    SKIP_ON_SQLITE();
    refuse_rows(fixture, "news", "53100");
    assert_ok(storage_meta_set(storage, "x", "lost"));
    assert_result(storage_news_add(storage, &news, &id), STORAGE_FULL);
    assert_result(storage_meta_set(storage, "x", "lost"), STORAGE_FULL);
    assert_result(storage_commit(storage), STORAGE_FULL);
    assert_false(storage_is_dirty(storage));
    accept_rows(fixture);
    assert_ok(storage_test_disk_space(storage));
    assert_ok(storage_news_add(storage, &news, &id));
    fixture_commit(fixture);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM news"), 1);
    assert_int_equal(fixture_read_number(storage,
                                         "SELECT count(*) FROM meta WHERE name <> 'schema_version'"
                                         " AND name <> 'audit_head'"),
                     0);
}

static void what_is_about_a_file_is_refused_or_does_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct storage *copy = NULL;
    struct storage_backup *backup = NULL;
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE], path[128];

    SKIP_ON_SQLITE();
    (void)snprintf(path, sizeof path, "%s/backup.db", fixture->folder);
    assert_result(storage_backup_begin(fixture->storage, path, &backup, why), STORAGE_REFUSED);
    assert_null(backup);
    assert_result(storage_backup_make(fixture->storage, path, why), STORAGE_REFUSED);
    assert_non_null(strstr(why, "PostgreSQL's own programs"));
    assert_result(storage_open_copy_of(fixture->storage, &copy, why), STORAGE_REFUSED);
    assert_null(copy);
    assert_result(storage_check_file(fixture->path, &summary, why), STORAGE_REFUSED);
    assert_non_null(strstr(why, "not in a file"));
    assert_result(storage_open_read_only(fixture->path, &copy, why), STORAGE_REFUSED);
    assert_result(storage_open_temporary_copy(fixture->path, &copy, why), STORAGE_REFUSED);
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
    storage_set_log_limits(fixture->storage, 0, 0);
    storage_empty_log_when_idle(fixture->storage);
    storage_do_idle_work(fixture->storage);
    assert_ok(storage_meta_set(fixture->storage, "x", "2"));
    fixture_commit(fixture);
    assert_ok(storage_test_disk_space(fixture->storage));
    assert_false(storage_is_dirty(fixture->storage));
}

/* More writes than POSTGRES_SENT_MAX, and more bytes than the buffers of a socket have. */
static void a_transaction_can_have_any_number_of_deferred_writes(void **state)
{
    struct fixture *fixture = *state;
    char name[16], value[STORAGE_META_SIZE];

    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (int i = 0; i < 3 * POSTGRES_SENT_MAX; i++) {
        (void)snprintf(name, sizeof name, "row%d", i);
        assert_ok(storage_meta_set(fixture->storage, name, value));
    }
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(fixture_read_number(fixture->storage,
                                         "SELECT count(*) FROM meta WHERE name < 'rox'"
                                         " AND name >= 'row'"),
                     3 * POSTGRES_SENT_MAX);
}

static void a_rollback_also_undoes_deferred_writes_that_were_never_sent(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_true(storage_is_dirty(fixture->storage));
    storage_rollback(fixture->storage);
    assert_false(storage_is_dirty(fixture->storage));
    assert_result(storage_meta_get(fixture->storage, "x", value), STORAGE_NOT_FOUND);
}

TEST_GROUP(postgres)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_database_that_cannot_be_reached_is_reported_without_the_password),
        FIXTURE_TEST(the_session_does_not_depend_on_settings_of_the_server),
        FIXTURE_TEST(a_lost_connection_is_final),
        FIXTURE_TEST(a_deferred_write_that_fails_fails_its_commit),
        FIXTURE_TEST(a_deferred_write_that_fails_fails_the_next_statement_that_waits),
        FIXTURE_TEST(after_a_full_disk_later_transactions_succeed),
        FIXTURE_TEST(what_is_about_a_file_is_refused_or_does_nothing),
        FIXTURE_TEST(a_transaction_can_have_any_number_of_deferred_writes),
        FIXTURE_TEST(a_rollback_also_undoes_deferred_writes_that_were_never_sent),
    };
    return cmocka_run_group_tests_name("postgres", tests, NULL, NULL);
}
