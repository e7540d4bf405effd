#include "tests/daemon/cli/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX 32
#define DEADLINE_MS 60000

static void write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t put = write(fd, bytes, len);
        assert_true(put > 0);
        bytes += put;
        len -= (size_t)put;
    }
}

static char *read_all(int fd, size_t *len)
{
    struct stat about;
    assert_int_equal(fstat(fd, &about), 0);
    *len = (size_t)about.st_size;
    char *bytes = malloc(*len + 1);
    assert_non_null(bytes);
    assert_int_equal(pread(fd, bytes, *len, 0), *len);
    bytes[*len] = '\0';
    return bytes;
}

static int wait_for_exit(pid_t pid)
{
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    assert_true(pidfd >= 0);
    struct pollfd ended = {.fd = pidfd, .events = POLLIN};
    if (poll(&ended, 1, DEADLINE_MS) != 1) {
        kill(pid, SIGKILL);
        fail_msg("the program did not end within a minute");
    }
    close(pidfd);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct program_run program_run(const char *const *args, const struct program_setup *setup)
{
    static const struct program_setup nothing;
    setup = setup == NULL ? &nothing : setup;
    const char *binary = getenv("TRICKHOUSE");
    assert_non_null(binary);
    char *argv[ARGS_MAX] = {strdup(binary)};
    for (size_t i = 0; args[i] != NULL; i++) {
        assert_true(i + 2 < ARGS_MAX);
        argv[i + 1] = strdup(args[i]);
    }
    int in = memfd_create("in", MFD_CLOEXEC);
    int out = memfd_create("out", MFD_CLOEXEC);
    int err = memfd_create("err", MFD_CLOEXEC);
    assert_true(in >= 0 && out >= 0 && err >= 0);
    /* several processes may write at once; in memory files, only appending never overwrites */
    assert_int_equal(fcntl(out, F_SETFL, O_APPEND), 0);
    assert_int_equal(fcntl(err, F_SETFL, O_APPEND), 0);
    write_all(in, setup->input, setup->input_len);
    assert_int_equal(lseek(in, 0, SEEK_SET), 0);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, setup->out_fd > 0 ? setup->out_fd : out,
                                     STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (setup->out_fd < 0) {
        posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
    }
    pid_t pid;
    assert_int_equal(posix_spawn(&pid, binary, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    for (size_t i = 0; argv[i] != NULL; i++) {
        free(argv[i]);
    }

    struct program_run run = {.status = wait_for_exit(pid)};
    run.out = read_all(out, &run.out_len);
    run.err = read_all(err, &run.err_len);
    close(in);
    close(out);
    close(err);
    return run;
}

double program_read_row(const char *out, const char *words)
{
    const char *row = strstr(out, words);
    double number = -1;
    assert_non_null(row);
    assert_int_equal(sscanf(row + strlen(words), "%lf", &number), 1);
    return number;
}

void program_clear(struct program_run *run)
{
    free(run->out);
    free(run->err);
    *run = (struct program_run){0};
}

void program_expect_usage_error(const char *const *args, const char *words)
{
    struct program_run run = program_run(args, NULL);
    assert_int_equal(run.status, 2);
    assert_int_equal(run.out_len, 0);
    if (strstr(run.err, words) == NULL) {
        fail_msg("said: %s", run.err);
    }
    assert_ptr_equal(strchr(run.err, '\n'), run.err + run.err_len - 1);
    const char *program = strrchr(getenv("TRICKHOUSE"), '/') + 1;
    assert_int_equal(strncmp(run.err, program, strlen(program)), 0);
    program_clear(&run);
}

char *program_make_file(const char *bytes, size_t len)
{
    char *path = strdup("/tmp/trickhouse-test-XXXXXX");
    assert_non_null(path);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    write_all(fd, bytes, len);
    close(fd);
    return path;
}

int program_make_data_folder(char folder[FOLDER_PATH_MAX], char data[FOLDER_PATH_MAX])
{
    if (folder_make(folder) != 0) {
        return -1;
    }
    folder_write_path(data, folder, "data");
    return 0;
}

int program_remove_data_folder(const char *folder, const char *data)
{
    const char *const args[] = {"stop", "--data", data, NULL};
    struct program_run run = program_run(args, NULL);
    program_clear(&run);
    return folder_remove(folder);
}
