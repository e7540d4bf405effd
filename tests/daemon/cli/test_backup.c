#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* Opens a house on `from`, has it die in the middle of its work, and moves its database, whose log
 * has rows that the file lacks, to the folder `to`: a new folder beside the house's. */
static void let_house_die_with_rows_in_its_log(char to[FOLDER_PATH_MAX])
{
    static const char *const names[] = {"house.db", "house.db-wal"};
    char from[FOLDER_PATH_MAX];
    char path[FOLDER_PATH_MAX];
    folder_write_path(to, folder, "died");
    assert_int_equal(mkdir(to, 0700), 0);
    open_house();
    close_house();
    folder_write_path(from, data, "house.db");
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) { /* dies with the database open, so nothing merges its log */
        sqlite3 *db = NULL;
        bool is_good = sqlite3_open(from, &db) == SQLITE_OK &&
                       sqlite3_exec(db, "INSERT INTO meta VALUES ('kept', 'in the log')", NULL,
                                    NULL, NULL) == SQLITE_OK;
        _exit(is_good ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        folder_write_path(from, data, names[i]);
        folder_write_path(path, to, names[i]);
        assert_int_equal(rename(from, path), 0);
    }
}

/* Reads the row that let_house_die_with_rows_in_its_log has written. */
static bool has_row_of_log(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT 1 FROM meta WHERE name = 'kept'", -1, &row, NULL),
        SQLITE_OK);
    bool is_there = sqlite3_step(row) == SQLITE_ROW;
    (void)sqlite3_finalize(row);
    (void)sqlite3_close(db);
    return is_there;
}

static void the_data_of_a_house_that_died_are_restored_with_their_log(void **state)
{
    (void)state;
    char died[FOLDER_PATH_MAX];
    char file[FOLDER_PATH_MAX];
    char link_to_file[FOLDER_PATH_MAX];
    char restored[FOLDER_PATH_MAX];
    let_house_die_with_rows_in_its_log(died);
    folder_write_path(file, died, "house.db");
    folder_write_path(link_to_file, folder, "link.db");
    folder_write_path(restored, data, "house.db");
    assert_int_equal(symlink(file, link_to_file), 0);
    run_program_and_check(1, "", "was not closed properly", ARGS("check-data", file));
    run_program_and_check(1, "", "was not closed properly", ARGS("check-data", link_to_file));
    run_program_and_check(0, "Restored.", "", ARGS("restore", "--data", data, file));
    assert_true(has_row_of_log(restored));
    run_program_and_check(0, "Restored.", "", ARGS("restore", "--data", data, link_to_file));
    assert_true(has_row_of_log(restored));
    open_house();
}

/* Between the two moves of a database and its log, a power cut would part them. */
static void data_with_a_log_are_put_aside_as_one_file(void **state)
{
    (void)state;
    char died[FOLDER_PATH_MAX];
    char file[FOLDER_PATH_MAX];
    char fresh[FOLDER_PATH_MAX];
    char log[FOLDER_PATH_MAX + 8];
    let_house_die_with_rows_in_its_log(died);
    open_house();
    back_up_house(fresh);
    close_house();
    struct program_run run = program_run(ARGS("restore", "--data", died, fresh), NULL);
    assert_int_equal(run.status, 0);
    const char *name = strstr(run.out, "house-before-");
    assert_non_null(name);
    char put_aside[64];
    snprintf(put_aside, sizeof put_aside, "%.*s", (int)strcspn(name, "\n") - 1, name);
    folder_write_path(file, died, put_aside);
    snprintf(log, sizeof log, "%s-wal", file);
    assert_int_equal(access(log, F_OK), -1);
    assert_true(has_row_of_log(file));
    folder_write_path(file, died, "house.db");
    assert_false(has_row_of_log(file));
    program_clear(&run);
    open_house();
}

static void a_log_of_which_nothing_can_be_read_is_not_left_out(void **state)
{
    (void)state;
    char died[FOLDER_PATH_MAX];
    char path[FOLDER_PATH_MAX];
    let_house_die_with_rows_in_its_log(died);
    folder_write_path(path, died, "house.db-wal");
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "zzzzzzzzzzzzzzzz", 16, 8), 16);
    assert_int_equal(close(file), 0);
    folder_write_path(path, died, "house.db");
    run_program_and_check(1, "", "nothing in this log can be read",
                          ARGS("restore", "--data", data, path));
}

static void restore_names_the_file_that_it_cannot_read(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    open_house();
    folder_write_path(path, data, "house.db");
    char fresh[FOLDER_PATH_MAX];
    folder_write_path(fresh, folder, "fresh");
    run_program_and_check(1, "", "/house.db: a house is open with this file",
                          ARGS("restore", "--data", fresh, path));
    run_program_and_check(1, "", "/nowhere/x.db: No such file",
                          ARGS("restore", "--data", fresh, "/nowhere/x.db"));
    run_program_and_check(1, "", "this is not a file", ARGS("restore", "--data", fresh, data));
    close_house();
}

/* Two restores in the same second, as after a clock that was set back. */
static void what_was_put_aside_is_never_replaced(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    open_house();
    back_up_house(path);
    close_house();
    struct program_run runs[3];
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        runs[i] = program_run(ARGS("restore", "--data", data, path), NULL);
        assert_int_equal(runs[i].status, 0);
        for (size_t earlier = 0; earlier < i; earlier++) {
            assert_string_not_equal(strstr(runs[i].out, "house-before-"),
                                    strstr(runs[earlier].out, "house-before-"));
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        program_clear(&runs[i]);
    }
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

static void run_sql(const char *path, const char *text)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The house opens with such data and backs them up, so only check-data can tell. */
static void strange_things_in_the_data_do_not_pass_check_data(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } things[] = {
        {"CREATE TABLE loot (x)", "no house makes: table loot"},
        {"CREATE VIEW spy AS SELECT * FROM accounts", "no house makes: view spy"},
        {"CREATE TRIGGER promote AFTER INSERT ON accounts BEGIN UPDATE accounts SET role = 3;"
         " END",
         "no house makes: trigger promote"},
        {"UPDATE meta SET value = value; INSERT INTO news (at_ms, text) VALUES (1, hex("
         "zeroblob(9999)))",
         "news: 1 rows"},
    };
    char path[FOLDER_PATH_MAX];
    char database[FOLDER_PATH_MAX];
    open_house();
    close_house();
    folder_write_path(database, data, "house.db");
    for (size_t i = 0; i < ARRAY_LEN(things); i++) {
        run_sql(database, things[i].text);
        run_program_and_check(1, "", things[i].words, ARGS("check-data", data));
    }
    open_house();
    back_up_house(path);
    run_program_and_check(0, "", "", ARGS("check-data", "--backup", path));
    run_program_and_check(1, "", "no house makes: table loot", ARGS("check-data", path));
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
        IN_A_FOLDER(the_data_of_a_house_that_died_are_restored_with_their_log),
        IN_A_FOLDER(data_with_a_log_are_put_aside_as_one_file),
        IN_A_FOLDER(a_log_of_which_nothing_can_be_read_is_not_left_out),
        IN_A_FOLDER(restore_names_the_file_that_it_cannot_read),
        IN_A_FOLDER(what_was_put_aside_is_never_replaced),
        IN_A_FOLDER(a_backup_of_an_open_house_can_be_restored_once_it_is_closed),
        IN_A_FOLDER(restoring_to_a_new_folder_reports_no_missing_file),
        IN_A_FOLDER(a_closed_house_can_be_backed_up),
        IN_A_FOLDER(a_damaged_backup_is_not_restored),
        IN_A_FOLDER(data_that_cannot_be_opened_does_not_pass_check_data),
        IN_A_FOLDER(strange_things_in_the_data_do_not_pass_check_data),
        IN_A_FOLDER(a_missing_data_folder_is_not_created),
        IN_A_FOLDER(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
