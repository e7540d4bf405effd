#include "storage/upkeep/upkeep.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Closes the fixture's storage, so that the data file is no longer in use. */
static const char *close_storage(struct fixture *fixture)
{
    fixture_commit(fixture);
    storage_close(fixture->storage);
    fixture->storage = NULL;
    return fixture->path;
}

/* Runs SQL on the closed data file, as another program could. */
static void run_sql_on_closed_file(const struct fixture *fixture, const char *text)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void the_pages_of_any_database_file_are_checked(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE] = "";

    (void)close_storage(fixture);
    assert_int_equal(unlink(fixture->path), 0);
    assert_result(file_check(fixture->path, why), STORAGE_NOT_FOUND);
    run_sql_on_closed_file(fixture,
                           "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    assert_ok(file_check(fixture->path, why));
}

static void a_damaged_page_is_detected_and_reported(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE] = "";
    static const char noise[512] = "noise";

    (void)close_storage(fixture);
    FILE *file = fopen(fixture->path, "r+");
    assert_non_null(file);
    for (long page = 1; page < 20; page++) {
        assert_int_equal(fseek(file, page * 4096, SEEK_SET), 0);
        assert_int_equal(fwrite(noise, 1, sizeof noise, file), sizeof noise);
    }
    assert_int_equal(fclose(file), 0);
    assert_result(file_check(fixture->path, why), STORAGE_CORRUPT);
    assert_true(why[0] != '\0');
}

TEST_GROUP(file_check)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_pages_of_any_database_file_are_checked),
        FIXTURE_TEST(a_damaged_page_is_detected_and_reported),
    };

    return cmocka_run_group_tests_name("file_check", tests, NULL, NULL);
}
