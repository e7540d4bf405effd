#include "storage/archive/moves.h"
#include "tests/storage/archive/moves_baseline.h"

#include "tests/storage/fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Writes the path of another file in the fixture's folder; it is removed after the test. */
static void write_path(const struct fixture *fixture, char path[128], const char *suffix)
{
    (void)snprintf(path, 128, "%s/baseline.db%s", fixture->folder, suffix);
}

static struct storage_baseline *open_database_file(const struct fixture *fixture)
{
    struct storage_baseline *baseline = NULL;
    char why[STORAGE_WHY_SIZE];
    char path[128];

    write_path(fixture, path, "");
    assert_ok(storage_baseline_open(path, &baseline, why));
    assert_string_equal(why, "");
    return baseline;
}

/* Runs a query on a closed file and reads its result as one text. */
static void read_text(const struct fixture *fixture, const char *query, char text[256])
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    char path[128];

    write_path(fixture, path, "");
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
    struct storage_baseline *baseline = open_database_file(fixture);
    const struct storage_move moves[] = {{5, 1, 2, "play:AS", 10, 7, 3},
                                         {4, 0, 1, "bid:2", 9, 0, 0}};
    const struct storage_move last = {5, 2, 3, "play:9C", 11, 8, 4};
    char text[256];

    assert_ok(storage_baseline_write_moves(baseline, moves, 2));
    assert_ok(storage_baseline_write_moves(baseline, &last, 1));
    assert_ok(storage_baseline_write_moves(baseline, &last, 0));
    storage_baseline_close(baseline);
    read_text(fixture,
              "SELECT group_concat(game_id || ':' || step || ':' || seat || ' ' || move || '@' ||"
              " at_ms || ' ' || conn || '/' || request, ';') FROM moves",
              text);
    assert_string_equal(text, "5:1:2 play:AS@10 7/3;4:0:1 bid:2@9 0/0;5:2:3 play:9C@11 8/4");
}

/* The lower bound is for a house in long use, whose log need not grow. */
static void the_baseline_file_has_a_log_of_the_usual_size_and_keeps_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage_baseline *baseline = open_database_file(fixture);
    const struct storage_move move = {.game = 1, .text = "play:AS"};
    struct stat status;
    char log[128];

    write_path(fixture, log, "-wal");
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

    storage_baseline_close(open_database_file(fixture));
    read_text(fixture, "PRAGMA journal_mode", text);
    assert_string_equal(text, "wal");
}

static void when_the_file_cannot_be_created_the_reason_is_reported(void **state)
{
    struct storage_baseline *baseline = open_database_file(*state);
    char why[STORAGE_WHY_SIZE] = "";

    storage_baseline_close(baseline);
    assert_result(storage_baseline_open("/nonexistent/baseline.db", &baseline, why), STORAGE_IO);
    assert_null(baseline);
    assert_non_null(strstr(why, "unable to open"));
    storage_baseline_close(NULL);
}

static void an_existing_file_is_not_overwritten(void **state)
{
    struct fixture *fixture = *state;
    struct storage_baseline *baseline = NULL;
    char why[STORAGE_WHY_SIZE] = "";
    char path[128];

    storage_baseline_close(open_database_file(fixture));
    write_path(fixture, path, "");
    assert_result(storage_baseline_open(path, &baseline, why), STORAGE_IO);
    assert_null(baseline);
    assert_non_null(strstr(why, "already exists"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(all_moves_are_written_in_order),
        FIXTURE_TEST(the_baseline_file_has_a_log_of_the_usual_size_and_keeps_it),
        FIXTURE_TEST(the_baseline_file_has_the_same_settings_as_the_data_file),
        FIXTURE_TEST(when_the_file_cannot_be_created_the_reason_is_reported),
        FIXTURE_TEST(an_existing_file_is_not_overwritten),
    };
    return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
