#include "daemon/processes/common/common.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char folder[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    return folder_make(folder);
}

static int tear_down_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static void create_file(const char *name)
{
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    close(file);
}

static int does_file_exist(const char *name)
{
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, folder, name);
    return access(path, F_OK) == 0;
}

static void a_backup_is_named_after_its_start_time(void **state)
{
    (void)state;
    char name[BACKUPS_NAME_MAX];
    backups_dir_write_name(folder, INT64_C(1795166100999), name);
    assert_string_equal(name, "house-n000001-20261120T091500Z.db");
}

static void the_oldest_backups_are_removed_and_other_files_stay(void **state)
{
    (void)state;
    create_file("house-20261118T091500Z.db");
    create_file("house-20261120T091500Z.db");
    create_file("house-20261119T091500Z.db");
    create_file("house-20251119T091500Z.db.gz");
    create_file("my own house.db");
    assert_int_equal(backups_dir_remove_oldest(folder, 3), 0);
    assert_int_equal(backups_dir_remove_oldest(folder, 1), 2);
    assert_true(does_file_exist("house-20261120T091500Z.db"));
    assert_false(does_file_exist("house-20261119T091500Z.db"));
    assert_false(does_file_exist("house-20261118T091500Z.db"));
    assert_true(does_file_exist("house-20251119T091500Z.db.gz"));
    assert_true(does_file_exist("my own house.db"));
}

static void the_newest_backup_is_found_by_its_name(void **state)
{
    (void)state;
    assert_int_equal(backups_dir_find_newest_s(folder), 0);
    create_file("house-20261119T091500Z.db");
    create_file("house-20261120T091500Z.db");
    create_file("house-20261118T091500Z.db");
    create_file("house-20271118T091500Z.db.gz");
    assert_int_equal(backups_dir_find_newest_s(folder), 1795166100);
    assert_int_equal(backups_dir_find_newest_s("/nonexistent"), 0);
}

/* The clock was ahead when the backups 1 and 2 and one of an older version were made. */
static void backups_are_ordered_by_their_numbers_whatever_the_clock_says(void **state)
{
    (void)state;
    char name[BACKUPS_NAME_MAX];
    create_file("house-n000002-20990101T000000Z.db");
    create_file("house-n000001-20990101T000000Z.db");
    create_file("house-21000101T000000Z.db");
    create_file("house-nine-20990101T000000Z.db");
    create_file("house-n000009-20990101.db");
    backups_dir_write_name(folder, INT64_C(1795166100999), name);
    assert_string_equal(name, "house-n000003-20261120T091500Z.db");
    create_file(name);
    assert_int_equal(backups_dir_find_newest_s(folder), 1795166100);
    backups_dir_write_name(folder, INT64_C(1795166100999), name);
    assert_string_equal(name, "house-n000004-20261120T091500Z.db"); /* in the same second */
    assert_int_equal(backups_dir_remove_oldest(folder, 2), 2);
    assert_true(does_file_exist("house-n000003-20261120T091500Z.db"));
    assert_true(does_file_exist("house-n000002-20990101T000000Z.db"));
    assert_true(does_file_exist("house-nine-20990101T000000Z.db"));
    assert_true(does_file_exist("house-n000009-20990101.db"));
    assert_int_equal(backups_dir_remove_oldest(folder, 1), 1);
    assert_true(does_file_exist("house-n000003-20261120T091500Z.db"));
    create_file("house-n1000000-20261120T091500Z.db"); /* sorts before the others as a text */
    assert_int_equal(backups_dir_remove_oldest(folder, 1), 1);
    assert_true(does_file_exist("house-n1000000-20261120T091500Z.db"));
}

static void a_missing_backups_folder_is_an_error_and_can_be_created(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, folder, "backups");
    assert_int_equal(backups_dir_remove_oldest(path, 1), -1);
    assert_true(backups_dir_make(path));
    assert_true(backups_dir_make(path));
    assert_int_equal(backups_dir_remove_oldest(path, 1), 0);
}

TEST_GROUP(backups_dir)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_backup_is_named_after_its_start_time, set_up_folder,
                                        tear_down_folder),
        cmocka_unit_test_setup_teardown(the_oldest_backups_are_removed_and_other_files_stay,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(the_newest_backup_is_found_by_its_name, set_up_folder,
                                        tear_down_folder),
        cmocka_unit_test_setup_teardown(
            backups_are_ordered_by_their_numbers_whatever_the_clock_says, set_up_folder,
            tear_down_folder),
        cmocka_unit_test_setup_teardown(a_missing_backups_folder_is_an_error_and_can_be_created,
                                        set_up_folder, tear_down_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
