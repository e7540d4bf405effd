#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_BYTES 32
/* size in bytes at which the log file is renamed: that of a hundred lines */
#define MOST_BYTES 3200
#define KEEP 3
#define DEADLINE_MS 15000

struct fixture {
    char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    int input, output;
    pid_t writer;
};

static void start_log_writer(struct fixture *fixture)
{
    fixture->writer = fork();
    assert_true(fixture->writer >= 0);
    if (fixture->writer == 0) {
        const struct log_writer_setup setup = {.path = fixture->path,
                                               .most_bytes = MOST_BYTES,
                                               .keep = KEEP,
                                               .input = fixture->input,
                                               .journal = -1,
                                               .stream = -1};
        close(fixture->output);
        _exit(log_writer_run(&setup));
    }
}

static int set_up(void **state)
{
    static struct fixture fixture;
    int ends[2];
    assert_int_equal(folder_make(fixture.folder), 0);
    folder_write_path(fixture.path, fixture.folder, "house.log");
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    fixture.input = ends[0];
    fixture.output = ends[1];
    start_log_writer(&fixture);
    *state = &fixture;
    return 0;
}

static void close_pipe_to_log_writer(struct fixture *fixture)
{
    if (fixture->output >= 0) {
        close(fixture->output);
        fixture->output = -1;
    }
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    close_pipe_to_log_writer(fixture);
    close(fixture->input);
    return folder_remove(fixture->folder);
}

static void wait_for_log_writer_exit(const struct fixture *fixture)
{
    int status = -1;
    assert_int_equal(waitpid(fixture->writer, &status, 0), fixture->writer);
    assert_int_equal(status, 0);
}

/* Waits until the file has at least size_min bytes. */
static void wait_for_written_bytes(const struct fixture *fixture, off_t size_min)
{
    int64_t deadline_ms = clock_steady_ms() + DEADLINE_MS;
    struct stat status = {0};
    while ((stat(fixture->path, &status) != 0 || status.st_size < size_min) &&
           clock_steady_ms() < deadline_ms) {
        (void)poll(NULL, 0, 1);
    }
    assert_true(status.st_size >= size_min);
}

/* Writes a line of LINE_BYTES bytes that contains this number. */
static void write_line(const struct fixture *fixture, int number)
{
    char line[2 * LINE_BYTES];
    snprintf(line, sizeof line, "%-*d\n", LINE_BYTES - 1, number);
    assert_int_equal(write(fixture->output, line, LINE_BYTES), LINE_BYTES);
}

static void write_path_of_rotated_file(const struct fixture *fixture, int index,
                                       char path[FOLDER_PATH_MAX + 8])
{
    snprintf(path, FOLDER_PATH_MAX + 8, index == 0 ? "%s" : "%s.%d", fixture->path, index);
}

/* Reads the line numbers in a log file, which must increase by one, beginning with *next (with any
 * number if *next is negative). Returns the number of lines, or -1 if there is no file. */
static int read_line_numbers(const struct fixture *fixture, int index, int *next)
{
    char path[FOLDER_PATH_MAX + 8];
    char line[2 * LINE_BYTES];
    int count = 0;
    write_path_of_rotated_file(fixture, index, path);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        assert_int_equal(strlen(line), LINE_BYTES);
        int number = (int)strtol(line, NULL, 10);
        assert_int_equal(*next < 0 ? number : *next, number);
        *next = number + 1;
        count++;
    }
    fclose(file);
    return count;
}

static void every_log_line_is_whole_in_one_of_the_rotated_files(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 1050; i++) {
        write_line(fixture, i);
    }
    close_pipe_to_log_writer(fixture);
    wait_for_log_writer_exit(fixture);
    int next = -1;
    assert_int_equal(read_line_numbers(fixture, KEEP + 1, &next), -1);
    for (int i = KEEP; i > 0; i--) {
        assert_int_equal(read_line_numbers(fixture, i, &next), MOST_BYTES / LINE_BYTES);
    }
    assert_int_equal(read_line_numbers(fixture, 0, &next), 50);
    assert_int_equal(next, 1050);
}

static void a_stopping_log_writer_loses_no_line(void **state)
{
    struct fixture *fixture = *state;
    int next = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 4; i++) {
            write_line(fixture, 4 * round + i);
        }
        /* once these bytes are written, the log writer is running */
        wait_for_written_bytes(fixture, (4 * round + 1) * LINE_BYTES);
        kill(fixture->writer, SIGTERM);
        wait_for_log_writer_exit(fixture);
        start_log_writer(fixture);
    }
    close_pipe_to_log_writer(fixture);
    wait_for_log_writer_exit(fixture);
    assert_int_equal(read_line_numbers(fixture, 0, &next), 80);
}

static void the_next_log_writer_recreates_a_file_that_was_moved_away(void **state)
{
    struct fixture *fixture = *state;
    char aside[FOLDER_PATH_MAX + 8];
    int next = -1;
    write_line(fixture, 1);
    wait_for_written_bytes(fixture, LINE_BYTES);
    kill(fixture->writer, SIGTERM);
    wait_for_log_writer_exit(fixture);
    write_path_of_rotated_file(fixture, 1, aside);
    assert_int_equal(rename(fixture->path, aside), 0);
    start_log_writer(fixture);
    write_line(fixture, 2);
    close_pipe_to_log_writer(fixture);
    wait_for_log_writer_exit(fixture);
    assert_int_equal(read_line_numbers(fixture, 1, &next), 1);
    assert_int_equal(read_line_numbers(fixture, 0, &next), 1);
}

static void a_log_writer_goes_on_without_its_file_until_it_can_be_opened(void **state)
{
    struct fixture *fixture = *state;
    write_line(fixture, 0);
    wait_for_written_bytes(fixture, LINE_BYTES);
    kill(fixture->writer, SIGTERM);
    wait_for_log_writer_exit(fixture);
    assert_int_equal(unlink(fixture->path), 0);
    assert_int_equal(mkdir(fixture->path, 0700), 0);
    write_line(fixture, 1);
    start_log_writer(fixture);
    int64_t deadline_ms = clock_steady_ms() + DEADLINE_MS;
    int waiting = 1;
    while (waiting > 0 && clock_steady_ms() < deadline_ms) { /* until the first line is lost */
        assert_int_equal(ioctl(fixture->output, FIONREAD, &waiting), 0);
        (void)poll(NULL, 0, 1);
    }
    assert_int_equal(rmdir(fixture->path), 0);
    write_line(fixture, 2);
    wait_for_written_bytes(fixture, LINE_BYTES);
    close_pipe_to_log_writer(fixture);
    wait_for_log_writer_exit(fixture);
}

TEST_GROUP(log_writer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_log_line_is_whole_in_one_of_the_rotated_files, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_stopping_log_writer_loses_no_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_log_writer_goes_on_without_its_file_until_it_can_be_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_next_log_writer_recreates_a_file_that_was_moved_away,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
