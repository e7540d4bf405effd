#include "daemon/base/base.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[FOLDER_PATH_MAX];
static char path[FOLDER_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    int result = folder_make(folder);
    folder_write_path(path, folder, "file");
    return result;
}

static int remove_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static void write_file(const char *text)
{
    int file = files_open_regular(path, O_WRONLY | O_CREAT);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static void a_file_is_read_whole_or_not_at_all(void **state)
{
    (void)state;
    size_t len;
    write_file("twelve bytes");
    char *text = files_read(path, 12, &len);
    assert_string_equal(text, "twelve bytes");
    assert_int_equal(len, 12);
    free(text);
    assert_null(files_read(path, 11, &len));
    assert_int_equal(errno, EFBIG);
    assert_null(files_read(folder, 12, &len));
    assert_int_equal(errno, EISDIR);
}

static void nothing_but_a_regular_file_is_opened_and_nothing_waits(void **state)
{
    (void)state;
    size_t len;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(files_read(path, 12, &len));
    assert_int_equal(errno, EMEDIUMTYPE);
    assert_string_equal(files_explain_errno(), "this is not a regular file");
    assert_true(files_open_regular(path, O_WRONLY | O_APPEND | O_CREAT) < 0);
    assert_true(files_open_regular(path, O_RDWR) < 0);
    assert_true(files_open_regular("/dev/zero", O_RDONLY) < 0);
    errno = ENOENT;
    assert_string_equal(files_explain_errno(), strerror(ENOENT));
}

TEST_GROUP(files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_read_whole_or_not_at_all, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(nothing_but_a_regular_file_is_opened_and_nothing_waits,
                                        make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
