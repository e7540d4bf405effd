#include "storage/copies.h"

#include "storage/archive/archive.h"
#include "storage/house/house.h"
#include "storage/upkeep/upkeep.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

static void change_schema_version(const struct fixture *fixture, int difference)
{
    char text[64];
    size_t newest = 0;

    (void)migrate_list_steps(&newest);
    (void)snprintf(text, sizeof text, "PRAGMA user_version = %d", (int)newest + difference);
    run_sql_on_closed_file(fixture, text);
}

/* Makes the closed data file look like one that Trickhouse 0.2.0 wrote. */
static void make_data_of_old_program(const struct fixture *fixture)
{
    char text[96];

    (void)snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = 39",
                   MIGRATE_OLD_APPLICATION_ID);
    run_sql_on_closed_file(fixture, text);
}

static void assert_check_result(const struct fixture *fixture, enum storage_result expected,
                                const char *expected_word)
{
    struct storage_summary summary = {.accounts = 77};
    char why[STORAGE_WHY_SIZE] = "";

    assert_result(storage_check_file(fixture->path, &summary, why), expected);
    assert_int_equal(summary.accounts, 0);
    assert_non_null(strstr(why, expected_word));
}

static unsigned count_files_in_folder(const struct fixture *fixture)
{
    unsigned count = 0;
    DIR *folder = opendir(fixture->folder);

    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

static void a_data_files_summary_counts_people_and_finished_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE] = "";
    const int64_t people[] = {fixture_add_account(storage, "mira", STORAGE_PLAYER),
                              fixture_add_account(storage, "bob", STORAGE_PLAYER)};

    (void)fixture_add_account(storage, "robot", STORAGE_BOT);
    (void)fixture_add_finished_game(storage, people, 2, 500);
    (void)fixture_add_finished_game(storage, people, 2, 400);
    assert_ok(storage_game_void(storage, fixture_add_finished_game(storage, people, 2, 900)));
    (void)fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_check_file(close_storage(fixture), &summary, why));
    assert_int_equal(summary.accounts, 2);
    assert_int_equal(summary.games, 2);
    assert_int_equal(summary.last_ms, 500);
}

static void without_games_the_time_of_the_last_game_is_zero(void **state)
{
    struct fixture *fixture = *state;
    struct storage_summary summary = {.last_ms = 77};
    char why[STORAGE_WHY_SIZE] = "";

    assert_ok(storage_check_file(close_storage(fixture), &summary, why));
    assert_int_equal(summary.accounts + summary.games + summary.last_ms, 0);
}

static void checking_a_data_file_changes_neither_the_file_nor_its_folder(void **state)
{
    struct fixture *fixture = *state;
    struct storage_summary summary;
    struct stat before, after;
    char why[STORAGE_WHY_SIZE] = "";
    const char *path = close_storage(fixture);
    const unsigned files = count_files_in_folder(fixture);

    assert_int_equal(stat(path, &before), 0);
    assert_ok(storage_check_file(path, &summary, why));
    assert_ok(file_check(path, why));
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    assert_int_equal(count_files_in_folder(fixture), files);
}

static void a_file_without_a_houses_data_is_refused_with_a_reason(void **state)
{
    struct fixture *fixture = *state;

    (void)close_storage(fixture);
    change_schema_version(fixture, 1);
    assert_check_result(fixture, STORAGE_NEWER, "newer program");
    make_data_of_old_program(fixture);
    assert_check_result(fixture, STORAGE_OLDER, "0.2.0 or older (data format 39)");
    run_sql_on_closed_file(fixture, "PRAGMA application_id = 77");
    assert_check_result(fixture, STORAGE_FOREIGN, "not hold the data of a house");
    assert_int_equal(unlink(fixture->path), 0);
    assert_check_result(fixture, STORAGE_NOT_FOUND, "there is no ");
}

static void a_file_with_a_write_ahead_log_beside_it_is_reported_as_in_use(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE] = "";

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
    assert_check_result(fixture, STORAGE_LOCKED, "in use");
    assert_result(file_check(fixture->path, why), STORAGE_LOCKED);
    (void)close_storage(fixture);
    assert_ok(file_check(fixture->path, why));
}

static void dangling_references_are_reported_as_damage(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE] = "";

    (void)close_storage(fixture);
    run_sql_on_closed_file(fixture,
                           "PRAGMA foreign_keys = OFF; INSERT INTO friends VALUES (5, 6, 1)");
    assert_check_result(fixture, STORAGE_CORRUPT, "refer to missing rows");
    assert_ok(file_check(fixture->path, why)); /* every page of the file is undamaged */
}

/* Reading the whole database table would not show the damage; a search by the index would. */
static void a_row_missing_from_its_index_is_reported_as_damage(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE] = "";

    (void)close_storage(fixture);
    run_sql_on_closed_file(
        fixture, "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);"
                 "CREATE INDEX things_by_name ON things (name);"
                 "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'things_by_name';"
                 "PRAGMA writable_schema = ON;"
                 "DELETE FROM sqlite_schema WHERE name = 'things_by_name'");
    run_sql_on_closed_file(
        fixture, "INSERT INTO things VALUES (1, 'a');"
                 "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept");
    assert_result(file_check(fixture->path, why), STORAGE_CORRUPT);
    assert_non_null(strstr(why, "damaged"));
    assert_check_result(fixture, STORAGE_CORRUPT, "damaged");
}

static void a_copy_of_the_current_schema_version_opens_read_only(void **state)
{
    struct fixture *fixture = *state;
    struct storage *copy = NULL;
    char value[STORAGE_META_SIZE];
    char why[STORAGE_WHY_SIZE] = "";

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    (void)close_storage(fixture);
    assert_ok(storage_open_read_only(fixture->path, &copy, why));
    assert_ok(storage_meta_get(copy, "x", value));
    assert_int_not_equal(storage_meta_set(copy, "x", "2"), STORAGE_OK);
    storage_close(copy);
    change_schema_version(fixture, -1);
    assert_result(storage_open_read_only(fixture->path, &copy, why), STORAGE_REFUSED);
    assert_null(copy);
    assert_non_null(strstr(why, "older program"));
    change_schema_version(fixture, 1);
    assert_result(storage_open_read_only(fixture->path, &copy, why), STORAGE_NEWER);
    assert_null(copy);
    make_data_of_old_program(fixture);
    assert_result(storage_open_read_only(fixture->path, &copy, why), STORAGE_OLDER);
    assert_null(copy);
}

static void changing_a_temporary_copy_leaves_the_source_unchanged(void **state)
{
    struct fixture *fixture = *state;
    struct storage *scratch = NULL;
    struct storage_account account;
    char value[STORAGE_META_SIZE];
    char why[STORAGE_WHY_SIZE] = "";

    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    (void)close_storage(fixture);
    const unsigned files = count_files_in_folder(fixture);
    assert_ok(storage_open_temporary_copy(fixture->path, &scratch, why));
    assert_ok(storage_meta_get(scratch, "x", value));
    assert_string_equal(value, "1");
    assert_ok(storage_meta_set(scratch, "x", "2"));
    (void)fixture_add_account(scratch, "mira", STORAGE_PLAYER);
    assert_ok(storage_commit(scratch));
    storage_close(scratch);
    assert_int_equal(count_files_in_folder(fixture), files);
    assert_ok(storage_open(fixture->path, &fixture->storage, why));
    assert_ok(storage_meta_get(fixture->storage, "x", value));
    assert_string_equal(value, "1");
    assert_result(storage_account_by_name(fixture->storage, "mira", &account), STORAGE_NOT_FOUND);
}

static void a_temporary_copy_of_a_file_without_house_data_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage *scratch = fixture->storage;
    char why[STORAGE_WHY_SIZE] = "";

    (void)close_storage(fixture);
    change_schema_version(fixture, 1);
    assert_result(storage_open_temporary_copy(fixture->path, &scratch, why), STORAGE_NEWER);
    assert_null(scratch);
    make_data_of_old_program(fixture);
    assert_result(storage_open_temporary_copy(fixture->path, &scratch, why), STORAGE_OLDER);
    assert_null(scratch);
    run_sql_on_closed_file(fixture, "PRAGMA application_id = 77");
    assert_result(storage_open_temporary_copy(fixture->path, &scratch, why), STORAGE_FOREIGN);
    assert_int_equal(unlink(fixture->path), 0);
    assert_result(storage_open_temporary_copy(fixture->path, &scratch, why), STORAGE_NOT_FOUND);
    assert_non_null(strstr(why, "there is no "));
}

TEST_GROUP(copies)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_data_files_summary_counts_people_and_finished_games),
        FIXTURE_TEST(without_games_the_time_of_the_last_game_is_zero),
        FIXTURE_TEST(checking_a_data_file_changes_neither_the_file_nor_its_folder),
        FIXTURE_TEST(a_file_without_a_houses_data_is_refused_with_a_reason),
        FIXTURE_TEST(a_file_with_a_write_ahead_log_beside_it_is_reported_as_in_use),
        FIXTURE_TEST(dangling_references_are_reported_as_damage),
        FIXTURE_TEST(a_row_missing_from_its_index_is_reported_as_damage),
        FIXTURE_TEST(a_copy_of_the_current_schema_version_opens_read_only),
        FIXTURE_TEST(changing_a_temporary_copy_leaves_the_source_unchanged),
        FIXTURE_TEST(a_temporary_copy_of_a_file_without_house_data_is_refused),
    };
    return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
