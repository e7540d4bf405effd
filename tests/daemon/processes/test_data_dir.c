#include "daemon/processes/processes.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[FOLDER_PATH_MAX];
static char path[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    if (folder_make(folder) != 0) {
        return -1;
    }
    folder_write_path(path, folder, "data");
    return 0;
}

static int tear_down_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static void only_one_house_at_a_time_locks_a_data_folder(void **state)
{
    (void)state;
    struct data_dir first, second;
    pid_t owner;
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_CLOSED);
    assert_int_equal(data_dir_open(&first, path), DATA_DIR_OK);
    assert_int_equal(data_dir_open(&second, path), DATA_DIR_LOCKED);
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_OK);
    assert_int_equal(owner, getpid());
    data_dir_close(&first);
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_CLOSED);
    assert_int_equal(data_dir_open(&second, path), DATA_DIR_OK);
    data_dir_close(&second);
}

static void the_lock_tells_the_ports_of_an_open_house(void **state)
{
    (void)state;
    struct data_dir dir;
    char text[64] = "", expected[64];
    pid_t owner;
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_OK);
    assert_true(data_dir_note_supervisor(&dir, &(struct ports){.ssh = 65535, .telnet = 2323}));
    assert_true(data_dir_note_supervisor(&dir, &(struct ports){.ssh = 2222}));
    (void)snprintf(expected, sizeof expected, "%ld 2222 0\n", (long)getpid());
    assert_true(pread(dir.lock, text, sizeof text - 1, 0) > 0);
    assert_string_equal(text, expected);
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_OK);
    assert_int_equal(owner, getpid());
    data_dir_close(&dir);
}

static void a_house_that_is_process_1_of_a_container_is_found(void **state)
{
    (void)state;
    struct data_dir dir;
    pid_t owner;
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_OK);
    assert_int_equal(pwrite(dir.lock, "1\n", 2, 0), 2);
    assert_int_equal(ftruncate(dir.lock, 2), 0);
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_OK);
    assert_int_equal(owner, 1);
    assert_int_equal(ftruncate(dir.lock, 0), 0); /* the supervisor has only just locked the file */
    assert_int_equal(data_dir_find_supervisor(path, &owner), DATA_DIR_FAILED);
    assert_int_equal(errno, EAGAIN);
    data_dir_close(&dir);
}

static void paths_of_files_in_the_data_folder_are_absolute(void **state)
{
    (void)state;
    struct data_dir dir;
    char expected[FOLDER_PATH_MAX];
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(data_dir_open(&dir, "data"), DATA_DIR_OK);
    assert_int_equal(chdir("/"), 0);
    char *file = data_dir_join_path(&dir, "house.db");
    folder_write_path(expected, path, "house.db");
    assert_string_equal(file, expected);
    free(file);
    data_dir_close(&dir);
}

static void a_data_folder_that_cannot_be_created_is_reported_with_the_reason(void **state)
{
    (void)state;
    struct data_dir dir;
    folder_write_path(path, folder, "no/such");
    errno = 0;
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_FAILED);
    assert_int_equal(errno, ENOENT);
}

static void connection_numbers_rise_even_when_the_clock_is_set_back(void **state)
{
    (void)state;
    struct data_dir dir;
    int64_t first, second, third;
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_OK);
    assert_true(data_dir_reserve_conn_numbers(&dir, 5000000, &first));
    assert_int_equal(first, 5000000);
    data_dir_close(&dir);
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_OK);
    assert_true(data_dir_reserve_conn_numbers(&dir, 1000, &second));
    assert_int_equal(second, first + DATA_DIR_CONN_COUNT);
    assert_true(data_dir_reserve_conn_numbers(&dir, 99000000, &third));
    assert_int_equal(third, 99000000);
    data_dir_close(&dir);
}

static uid_t read_owner_of_file(const char *file)
{
    struct stat status;
    assert_int_equal(lstat(file, &status), 0);
    return status.st_uid;
}

static void make_file(const char *file)
{
    int made = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(made >= 0);
    close(made);
}

static void outside_files_linked_into_the_data_folder_keep_their_owner(void **state)
{
    (void)state;
    const uid_t user = 65534;
    char own[FOLDER_PATH_MAX], outside[FOLDER_PATH_MAX], link_to[FOLDER_PATH_MAX];
    if (geteuid() != 0) {
        skip(); /* only root can change the owner of a file */
    }
    assert_int_equal(mkdir(path, 0700), 0);
    folder_write_path(own, path, "house.db");
    folder_write_path(outside, folder, "secret");
    make_file(own);
    make_file(outside);
    folder_write_path(link_to, path, "house.log");
    assert_int_equal(link(outside, link_to), 0);
    folder_write_path(link_to, path, "house.conf");
    assert_int_equal(symlink(outside, link_to), 0);
    assert_true(data_dir_give_to_user(path, user, user));
    assert_int_equal(read_owner_of_file(path), user);
    assert_int_equal(read_owner_of_file(own), user);
    assert_int_equal(read_owner_of_file(outside), 0);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down_folder)

static void the_folder_remembers_the_database_of_the_house_opened_last(void **state)
{
    (void)state;
    struct data_dir dir;
    char url[40] = "x";
    assert_int_equal(data_dir_open(&dir, path), DATA_DIR_OK);
    assert_false(data_dir_read_noted_database(path, url, sizeof url));
    assert_string_equal(url, "");
    assert_true(data_dir_note_database(&dir, "postgresql://db.example/longer/than/house"));
    assert_false(data_dir_read_noted_database(path, url, sizeof url));
    assert_true(data_dir_note_database(&dir, "postgresql://db.example/house"));
    assert_true(data_dir_read_noted_database(path, url, sizeof url));
    assert_string_equal(url, "postgresql://db.example/house");
    assert_true(data_dir_note_database(&dir, ""));
    assert_true(data_dir_note_database(&dir, ""));
    assert_false(data_dir_read_noted_database(path, url, sizeof url));
    data_dir_close(&dir);
}

TEST_GROUP(data_dir)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(only_one_house_at_a_time_locks_a_data_folder),
        IN_A_FOLDER(the_lock_tells_the_ports_of_an_open_house),
        IN_A_FOLDER(a_house_that_is_process_1_of_a_container_is_found),
        IN_A_FOLDER(paths_of_files_in_the_data_folder_are_absolute),
        IN_A_FOLDER(a_data_folder_that_cannot_be_created_is_reported_with_the_reason),
        IN_A_FOLDER(connection_numbers_rise_even_when_the_clock_is_set_back),
        IN_A_FOLDER(the_folder_remembers_the_database_of_the_house_opened_last),
        IN_A_FOLDER(outside_files_linked_into_the_data_folder_keep_their_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
