#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Tests that the data of a house can be backed up and restored. */

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    return program_make_data_folder(folder, data);
}

static int tear_down_folder(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

static void run_program_and_check(int status, const char *out, const char *err,
                                  const char *const *args)
{
    struct program_run run = program_run(args, NULL);
    assert_int_equal(run.status, status);
    assert_non_null(strstr(run.out, out));
    assert_non_null(strstr(run.err, err));
    program_clear(&run);
}

static void open_house(void)
{
    run_program_and_check(
        0, "is open", "",
        ARGS("serve", "--data", data, "--ssh-port", "0", "--bind", "127.0.0.1", "--detach"));
}

static void close_house(void)
{
    run_program_and_check(0, "closed", "", ARGS("stop", "--data", data));
}

/* Backs up the house, and writes to `path` the path of the backup, which the command printed. */
static void back_up_house(char path[FOLDER_PATH_MAX])
{
    struct program_run run = program_run(ARGS("backup", "--data", data), NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    assert_in_range(run.out_len, 2, FOLDER_PATH_MAX - 1);
    memcpy(path, run.out, run.out_len - 1);
    path[run.out_len - 1] = '\0';
    assert_int_equal(access(path, R_OK), 0);
    program_clear(&run);
}

static void a_backup_of_an_open_house_can_be_restored_once_it_is_closed(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    open_house();
    back_up_house(path);
    run_program_and_check(0, "is sound", "", ARGS("check-data", path));
    run_program_and_check(0, "0 wrong", "", ARGS("check-data", "--games", path));
    run_program_and_check(1, "", "the house is open", ARGS("restore", "--data", data, path));
    close_house();
    run_program_and_check(0, "house.db is sound", "", ARGS("check-data", data));
    run_program_and_check(0, "kept as house-before-", "", ARGS("restore", "--data", data, path));
    open_house();
    back_up_house(path);
}

/* A restore sets the old database aside; in a new folder there is none, which is no error. */
static void restoring_to_a_new_folder_reports_no_missing_file(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    char fresh[FOLDER_PATH_MAX];
    open_house();
    back_up_house(path);
    folder_write_path(fresh, folder, "fresh");
    struct program_run restored = program_run(ARGS("restore", "--data", fresh, path), NULL);
    assert_int_equal(restored.status, 0);
    assert_non_null(strstr(restored.out, "Restored. Accounts: "));
    assert_null(strstr(restored.out, "before"));
    program_clear(&restored);
}

static void a_closed_house_can_be_backed_up(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    open_house();
    close_house();
    back_up_house(path);
    run_program_and_check(0, "", "", ARGS("check-data", "--quiet", path));
}

static void a_damaged_backup_is_not_restored(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    open_house();
    back_up_house(path);
    close_house();
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "zzzzzzzzzzzzzzzz", 16, 4096L * 5), 16);
    assert_int_equal(close(file), 0);
    run_program_and_check(1, "", "damaged", ARGS("check-data", path));
    run_program_and_check(1, "", "damaged", ARGS("restore", "--data", data, path));
    open_house(); /* a failed restore leaves the old database in place */
}

static void data_that_cannot_be_opened_does_not_pass_check_data(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    sqlite3 *db = NULL;
    open_house();
    back_up_house(path);
    close_house();
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE meta SET value = hex(zeroblob(9999))", NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(db);
    struct program_run run = program_run(ARGS("check-data", path), NULL);
    assert_int_equal(run.status, 1);
    assert_null(strstr(run.out, "is sound"));
    assert_non_null(strstr(run.err, "no house can open with this data: a stored value"));
    program_clear(&run);
}

static void a_missing_data_folder_is_not_created(void **state)
{
    (void)state;
    run_program_and_check(1, "", "No such file", ARGS("backup", "--data", data));
    assert_int_not_equal(access(data, F_OK), 0);
    run_program_and_check(1, "", "there is no", ARGS("check-data", data));
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("backup"), "--data DIR is missing");
    program_expect_usage_error(ARGS("backup", "--data", data, "more"), "is no option");
    program_expect_usage_error(ARGS("restore", "--data", data), "FILE is missing");
    program_expect_usage_error(ARGS("restore", "--data", data, "a", "b"), "more than one FILE");
    program_expect_usage_error(ARGS("check-data"), "FILE is missing");
    program_expect_usage_error(ARGS("check-data", "a", "b"), "more than one FILE");
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down_folder)

TEST_GROUP(backup)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_backup_of_an_open_house_can_be_restored_once_it_is_closed),
        IN_A_FOLDER(restoring_to_a_new_folder_reports_no_missing_file),
        IN_A_FOLDER(a_closed_house_can_be_backed_up),
        IN_A_FOLDER(a_damaged_backup_is_not_restored),
        IN_A_FOLDER(data_that_cannot_be_opened_does_not_pass_check_data),
        IN_A_FOLDER(a_missing_data_folder_is_not_created),
        IN_A_FOLDER(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
