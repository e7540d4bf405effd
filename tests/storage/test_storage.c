#include "tests/storage/fixture.h"

#include "storage/house/house.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void writing_begins_a_transaction_and_reading_does_not(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];

    assert_result(storage_meta_get(fixture->storage, "x", value), STORAGE_NOT_FOUND);
    assert_false(storage_is_dirty(fixture->storage));
    fixture_commit(fixture);
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_true(storage_is_dirty(fixture->storage));
    fixture_commit(fixture);
    assert_false(storage_is_dirty(fixture->storage));
}

static void only_commits_that_write_are_counted(void **state)
{
    struct fixture *fixture = *state;
    const uint64_t before = storage_last_turn(fixture->storage);

    fixture_commit(fixture);
    assert_int_equal(storage_last_turn(fixture->storage), before);
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    storage_rollback(fixture->storage);
    fixture_commit(fixture);
    assert_int_equal(storage_last_turn(fixture->storage), before);
    assert_ok(storage_meta_set(fixture->storage, "x", "2"));
    fixture_commit(fixture);
    assert_int_equal(storage_last_turn(fixture->storage), before + 1);
}

static void with_sqlite_every_commit_is_durable_at_once(void **state)
{
    struct fixture *fixture = *state;
    int sockets[STORAGE_SOCKETS_MAX];
    uint64_t durable = 0;

    assert_ok(storage_settle(fixture->storage, &durable));
    assert_true(durable > 0); /* the data as they were opened */
    assert_int_equal(durable, storage_last_turn(fixture->storage));
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
    assert_ok(storage_settle(fixture->storage, &durable));
    assert_int_equal(durable, storage_last_turn(fixture->storage));
    assert_int_equal(storage_sockets(fixture->storage, sockets), 0);
    storage_end_turn(fixture->storage);
    assert_ok(storage_settle(fixture->storage, &durable));
    assert_int_equal(durable, storage_last_turn(fixture->storage));
}

static void a_rollback_undoes_every_write(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table;
    char value[STORAGE_META_SIZE];

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    const int64_t id = fixture_add_table(fixture->storage);
    assert_ok(storage_table_read(fixture->storage, id, &table));
    storage_rollback(fixture->storage);
    assert_false(storage_is_dirty(fixture->storage));
    assert_result(storage_meta_get(fixture->storage, "x", value), STORAGE_NOT_FOUND);
    assert_result(storage_table_read(fixture->storage, id, &table), STORAGE_NOT_FOUND);
    storage_rollback(fixture->storage);
    assert_ok(storage_meta_set(fixture->storage, "x", "2"));
    fixture_commit(fixture);
}

static void closing_discards_uncommitted_writes(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];

    assert_ok(storage_meta_set(fixture->storage, "kept", "1"));
    fixture_commit(fixture);
    assert_ok(storage_meta_set(fixture->storage, "lost", "1"));
    fixture_reopen(fixture);
    assert_ok(storage_meta_get(fixture->storage, "kept", value));
    assert_result(storage_meta_get(fixture->storage, "lost", value), STORAGE_NOT_FOUND);
    storage_close(NULL);
}

static void a_refused_row_does_not_undo_the_other_rows(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE];
    const struct storage_key key = {
        .fingerprint = "SHA256:abc", .type = "ssh-ed25519", .added_ms = 1};

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_result(storage_key_add(fixture->storage, 5, &key), STORAGE_REFUSED);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_meta_get(fixture->storage, "x", value));
}

static void only_the_owner_can_read_the_data_file(void **state)
{
    struct fixture *fixture = *state;
    struct stat status;

    SKIP_ON_POSTGRES("the data file");
    assert_int_equal(stat(fixture->path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void opening_a_file_in_use_is_refused_with_a_reason(void **state)
{
    struct fixture *fixture = *state;
    struct storage *second = NULL;
    char why[STORAGE_WHY_SIZE];

    SKIP_ON_POSTGRES("the lock of the data file");
    assert_result(storage_open(fixture->path, &second, why), STORAGE_LOCKED);
    assert_null(second);
    assert_non_null(strstr(why, "another process"));
    assert_non_null(strstr(why, fixture->path));
}

/* Writes the schema version into the file itself, whose log is empty. */
static void write_schema_version(const char *path, uint8_t version)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);

    assert_int_equal(pwrite(file, &version, 1, 63), 1); /* the last byte of user_version */
    (void)close(file);
}

static void a_file_is_tried_without_opening_it(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE];

    SKIP_ON_POSTGRES("the data file");
    storage_close(fixture->storage);
    fixture->storage = NULL;
    assert_result(storage_try(fixture->path, why), STORAGE_OK);
    write_schema_version(fixture->path, 255);
    assert_result(storage_try(fixture->path, why), STORAGE_NEWER);
    assert_non_null(strstr(why, "run the newer program"));
    write_schema_version(fixture->path, (uint8_t)storage_schema_version());
    assert_result(storage_try(fixture->path, why), STORAGE_OK);
    assert_result(storage_try(fixture->folder, why), STORAGE_IO);
    assert_int_equal(unlink(fixture->path), 0);
    assert_result(storage_try(fixture->path, why), STORAGE_IO);
    assert_non_null(strstr(why, "No such file"));
    fixture_reopen(fixture);
}

static void a_missing_folder_is_reported(void **state)
{
    struct fixture *fixture = *state;
    struct storage *second = NULL;
    char why[STORAGE_WHY_SIZE];
    char path[128];

    (void)snprintf(path, sizeof path, "%s/none/house.db", fixture->folder);
    assert_result(storage_open(path, &second, why), STORAGE_IO);
    assert_null(second);
    assert_non_null(strstr(why, "No such file"));
}

/* Runs SQL on the closed data file, as another program could. */
static void run_sql_on_closed_file(const struct fixture *fixture, const char *text)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void assert_open_fails(struct fixture *fixture, enum storage_result wanted,
                              const char *expected_word)
{
    char why[STORAGE_WHY_SIZE];

    assert_result(storage_open(fixture->path, &fixture->storage, why), wanted);
    assert_null(fixture->storage);
    assert_non_null(strstr(why, expected_word));
}

static void a_new_file_has_the_schema_version_of_the_program(void **state)
{
    struct fixture *fixture = *state;
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;

    SKIP_ON_POSTGRES("the version in the data file (see test_migrate_postgres.c)");
    storage_close(fixture->storage);
    fixture->storage = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int64(query, 0), storage_schema_version());
    assert_int_equal(sqlite3_finalize(query), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void a_file_with_a_newer_schema_is_refused_and_unchanged(void **state)
{
    struct fixture *fixture = *state;
    char present[40];

    SKIP_ON_POSTGRES("the version in the data file (see test_migrate_postgres.c)");
    (void)snprintf(present, sizeof present, "PRAGMA user_version = %zu", storage_schema_version());
    storage_close(fixture->storage);
    run_sql_on_closed_file(fixture, "PRAGMA user_version = 1000");
    assert_open_fails(fixture, STORAGE_NEWER, "schema version 1000");
    run_sql_on_closed_file(fixture, present);
    char why[STORAGE_WHY_SIZE];
    assert_ok(storage_open(fixture->path, &fixture->storage, why));
}

static void a_database_file_of_another_program_is_refused(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_POSTGRES("the mark in the data file (see test_migrate_postgres.c)");
    storage_close(fixture->storage);
    run_sql_on_closed_file(fixture, "PRAGMA application_id = 77");
    assert_open_fails(fixture, STORAGE_FOREIGN, "other program");
}

static void a_file_that_is_no_database_is_refused(void **state)
{
    struct fixture *fixture = *state;
    char junk[8192];

    SKIP_ON_POSTGRES("the data file");
    storage_close(fixture->storage);
    memset(junk, 'j', sizeof junk);
    const int fd = open(fixture->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, junk, sizeof junk), sizeof junk);
    assert_int_equal(close(fd), 0);
    assert_open_fails(fixture, STORAGE_CORRUPT, "not a database");
}

static int64_t read_file_size(const struct fixture *fixture, const char *suffix)
{
    char path[128];
    struct stat status;

    (void)snprintf(path, sizeof path, "%s%s", fixture->path, suffix);
    assert_int_equal(stat(path, &status), 0);
    return status.st_size;
}

/* Makes one commit that grows the write-ahead log by about a megabyte. Each call writes different
 * bytes, because SQLite does not write pages that stay equal. */
static void commit_one_megabyte(struct fixture *fixture, char fill)
{
    char name[STORAGE_WORD_SIZE];
    char text[STORAGE_META_SIZE];

    memset(text, fill, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 250; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        assert_ok(storage_meta_set(fixture->storage, name, text));
    }
    fixture_commit(fixture);
}

static void while_idle_a_write_ahead_log_of_4_mib_or_more_is_checkpointed(void **state)
{
    struct fixture *fixture = *state;
    char fill = 'a';

    SKIP_ON_POSTGRES("the log beside the data file");
    commit_one_megabyte(fixture, fill);
    const int64_t before = read_file_size(fixture, "");
    storage_do_idle_work(fixture->storage);
    assert_true(read_file_size(fixture, "") == before);
    while (read_file_size(fixture, "-wal") < 4 * 1024 * 1024 + 64 * 1024) {
        commit_one_megabyte(fixture, ++fill);
        assert_true(fill < 'z');
    }
    assert_true(read_file_size(fixture, "") == before);
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    storage_do_idle_work(fixture->storage);
    assert_true(read_file_size(fixture, "") == before);
    fixture_commit(fixture);
    storage_do_idle_work(fixture->storage);
    assert_true(read_file_size(fixture, "") > before);
    const int64_t log = read_file_size(fixture, "-wal");
    commit_one_megabyte(fixture, ++fill);
    assert_true(read_file_size(fixture, "-wal") == log);
}

static void a_write_ahead_log_of_64_mib_is_checkpointed_without_idle_time(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_POSTGRES("the log beside the data file");
    for (int i = 0; i < 100; i++) {
        commit_one_megabyte(fixture, (char)('A' + i % 26));
    }
    assert_in_range(read_file_size(fixture, "-wal"), 64 * 1024 * 1024, 68 * 1024 * 1024);
}

TEST_GROUP(storage)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(writing_begins_a_transaction_and_reading_does_not),
        FIXTURE_TEST(only_commits_that_write_are_counted),
        FIXTURE_TEST(with_sqlite_every_commit_is_durable_at_once),
        FIXTURE_TEST(a_rollback_undoes_every_write),
        FIXTURE_TEST(closing_discards_uncommitted_writes),
        FIXTURE_TEST(a_refused_row_does_not_undo_the_other_rows),
        FIXTURE_TEST(only_the_owner_can_read_the_data_file),
        FIXTURE_TEST(opening_a_file_in_use_is_refused_with_a_reason),
        FIXTURE_TEST(a_file_is_tried_without_opening_it),
        FIXTURE_TEST(a_missing_folder_is_reported),
        FIXTURE_TEST(a_new_file_has_the_schema_version_of_the_program),
        FIXTURE_TEST(a_file_with_a_newer_schema_is_refused_and_unchanged),
        FIXTURE_TEST(a_database_file_of_another_program_is_refused),
        FIXTURE_TEST(a_file_that_is_no_database_is_refused),
        FIXTURE_TEST(while_idle_a_write_ahead_log_of_4_mib_or_more_is_checkpointed),
        FIXTURE_TEST(a_write_ahead_log_of_64_mib_is_checkpointed_without_idle_time),
    };

    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}
