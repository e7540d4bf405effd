#include "storage/archive/archive.h"
#include "tests/storage/archive/moves_baseline.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Writes to `path` the name of another file in the fixture's folder. That file is removed after the
 * test. */
static void write_path_with_suffix(const struct fixture *fixture, char path[128],
                                   const char *suffix)
{
    (void)snprintf(path, 128, "%s/baseline.db%s", fixture->folder, suffix);
}

static struct storage_baseline *open_baseline(const struct fixture *fixture)
{
    struct storage_baseline *baseline = NULL;
    char why[STORAGE_WHY_SIZE];
    char path[128];

    write_path_with_suffix(fixture, path, "");
    assert_ok(storage_baseline_open(path, &baseline, why));
    assert_string_equal(why, "");
    return baseline;
}

/* Runs a query on the fixture's file, which must be closed, and writes its result to `text`. */
static void query_text(const struct fixture *fixture, const char *query, char text[256])
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    char path[128];

    write_path_with_suffix(fixture, path, "");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    (void)snprintf(text, 256, "%s", (const char *)sqlite3_column_text(statement, 0));
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void all_moves_are_written_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct storage_baseline *baseline = open_baseline(fixture);
    const struct storage_move moves[] = {{5, 1, 2, "play:AS", 10, 7, 3},
                                         {4, 0, 1, "bid:2", 9, 0, 0}};
    const struct storage_move last = {5, 2, 3, "play:9C", 11, 8, 4};
    char text[256];

    assert_ok(storage_baseline_write_moves(baseline, moves, 2));
    assert_ok(storage_baseline_write_moves(baseline, &last, 1));
    assert_ok(storage_baseline_write_moves(baseline, &last, 0));
    storage_baseline_close(baseline);
    query_text(fixture,
               "SELECT group_concat(game_id || ':' || step || ':' || seat || ' ' || move || '@' ||"
               " at_ms || ' ' || conn || '/' || request, ';') FROM moves",
               text);
    assert_string_equal(text, "5:1:2 play:AS@10 7/3;4:0:1 bid:2@9 0/0;5:2:3 play:9C@11 8/4");
}

/* The baseline stands for a house in long use, where the write-ahead log has its full size and
 * grows no more. */
static void the_baseline_file_has_a_write_ahead_log_of_the_usual_size_and_keeps_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage_baseline *baseline = open_baseline(fixture);
    const struct storage_move move = {.game = 1, .text = "play:AS"};
    struct stat status;
    char log[128];

    write_path_with_suffix(fixture, log, "-wal");
    assert_int_equal(stat(log, &status), 0);
    const int64_t size = status.st_size;
    assert_true(size > 4 * 1024 * 1024);
    for (int i = 0; i < 20; i++) {
        assert_ok(storage_baseline_write_moves(baseline, &move, 1));
    }
    assert_int_equal(stat(log, &status), 0);
    assert_true(status.st_size == size);
    storage_baseline_close(baseline);
}

static void the_baseline_file_has_the_same_settings_as_the_data_file(void **state)
{
    struct fixture *fixture = *state;
    char text[256];

    storage_baseline_close(open_baseline(fixture));
    query_text(fixture, "PRAGMA journal_mode", text);
    assert_string_equal(text, "wal");
}

static void when_the_baseline_file_cannot_be_created_the_reason_is_reported(void **state)
{
    struct storage_baseline *baseline = open_baseline(*state);
    char why[STORAGE_WHY_SIZE] = "";

    storage_baseline_close(baseline);
    assert_result(storage_baseline_open("/nonexistent/baseline.db", &baseline, why), STORAGE_IO);
    assert_null(baseline);
    assert_non_null(strstr(why, "unable to open"));
    storage_baseline_close(NULL);
}

static void creating_a_baseline_overwrites_no_existing_file(void **state)
{
    struct fixture *fixture = *state;
    struct storage_baseline *baseline = NULL;
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];

    storage_baseline_close(open_baseline(fixture));
    write_path_with_suffix(fixture, path, "");
    assert_result(storage_baseline_open(path, &baseline, why), STORAGE_IO);
    assert_null(baseline);
    assert_non_null(strstr(why, "already exists"));
}

TEST_GROUP(moves_baseline)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(all_moves_are_written_in_order),
        FIXTURE_TEST(the_baseline_file_has_a_write_ahead_log_of_the_usual_size_and_keeps_it),
        FIXTURE_TEST(the_baseline_file_has_the_same_settings_as_the_data_file),
        FIXTURE_TEST(when_the_baseline_file_cannot_be_created_the_reason_is_reported),
        FIXTURE_TEST(creating_a_baseline_overwrites_no_existing_file),
    };
    return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
