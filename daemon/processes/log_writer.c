#include "daemon/processes/log_writer.h"

#include "daemon/base/fd.h"
#include "daemon/base/log.h"
#include "daemon/processes/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK_BYTES 65536
#define END_MS 2000
/* Size of the pipe, which holds the log's lines while the disk is slow. The system may grant
 * less. */
#define PIPE_BYTES (1 << 20)

struct log_file {
    const struct log_writer_setup *setup;
    int file;
    uint64_t size;
    bool is_line_begun; /* the last write ended in the middle of a line */
};

static bool open_log_file(struct log_file *log)
{
    struct stat status;
    int file = open(log->setup->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || fstat(file, &status) != 0 || dup2(file, STDERR_FILENO) < 0) {
        fd_close(file);
        return false;
    }
    fd_close(log->file);
    log->file = file;
    log->size = (uint64_t)status.st_size;
    return true;
}

/* Renames house.log.4 to house.log.5 and so on, and overwrites the oldest file. Any of the files
 * may be missing. */
static void rotate_files(struct log_file *log)
{
    char from[PATH_MAX];
    char to[PATH_MAX];
    bool is_done = true;
    for (unsigned i = log->setup->keep; i > 0 && is_done; i--) {
        (void)snprintf(to, sizeof to, "%s.%u", log->setup->path, i);
        (void)snprintf(from, sizeof from, i == 1 ? "%s" : "%s.%u", log->setup->path, i - 1);
        is_done = rename(from, to) == 0 || errno == ENOENT;
    }
    if (!is_done || !open_log_file(log)) {
        log_failure("the log cannot be renamed");
        log->size = 0; /* try to rename again once most_bytes more bytes were written */
    }
}

/* Writes bytes to the log. If that fails, there is nowhere to report it: the lines are lost, and
 * the house continues. */
static void write_bytes(struct log_file *log, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t put = write(log->file, bytes, len);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return;
        }
        log->size += (uint64_t)put;
        bytes += put;
        len -= (size_t)put;
    }
}

static void write_lines_and_rotate(struct log_file *log, const char *bytes, size_t len)
{
    while (len > 0) {
        const char *end = memchr(bytes, '\n', len);
        size_t line_len = end == NULL ? len : (size_t)(end - bytes) + 1;
        bool is_due =
            log->size > 0 && log->size + line_len > log->setup->most_bytes && !log->is_line_begun;
        if (is_due) {
            rotate_files(log);
        }
        write_bytes(log, bytes, line_len);
        log->is_line_begun = end == NULL;
        bytes += line_len;
        len -= line_len;
    }
}

/* Copies a chunk of bytes from the pipe to the log. Returns false if no bytes wait in the pipe, or
 * no more will come. */
static bool copy_chunk_to_log(struct log_file *log, int input)
{
    static char chunk[CHUNK_BYTES];
    struct pollfd ready = {.fd = input, .events = POLLIN};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLIN) == 0) {
        return false;
    }
    ssize_t got = read(input, chunk, sizeof chunk);
    if (got > 0) {
        write_lines_and_rotate(log, chunk, (size_t)got);
    }
    return got > 0;
}

static int open_sigterm_descriptor(void)
{
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    return signalfd(-1, &stop, SFD_CLOEXEC);
}

int log_writer_run(const struct log_writer_setup *setup)
{
    struct log_file log = {.setup = setup, .file = -1};
    int stop = open_sigterm_descriptor();
    (void)signal(SIGINT, SIG_IGN); /* Ctrl-C at the house's terminal is meant for the supervisor */
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    if (stop < 0 || !open_log_file(&log) || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
        log_failure("%s", setup->path);
        return 1;
    }
    struct pollfd wanted[] = {{.fd = setup->input, .events = POLLIN},
                              {.fd = stop, .events = POLLIN}};
    while (wanted[1].revents == 0) {
        if (poll(wanted, 2, -1) < 0 && errno != EINTR) {
            return 1;
        }
        if (!copy_chunk_to_log(&log, setup->input) && (wanted[0].revents & POLLHUP) != 0) {
            break;
        }
    }
    while (copy_chunk_to_log(&log, setup->input)) {
    }
    close(log.file);
    return 0;
}

static int run_log_writer(const void *context)
{
    return log_writer_run(context);
}

static bool start_writer_process(struct log_writer *writer)
{
    const struct child_plan plan = {
        .name = "log",
        .keep = {writer->setup.input},
        .keep_count = 1,
        .reach = REACH_NOTHING,
        .run = run_log_writer,
        .context = &writer->setup,
    };
    pid_t pid = child_fork(&plan);
    writer->pid = pid > 0 ? pid : 0;
    return pid > 0;
}

bool log_writer_begin(struct log_writer *writer, const struct log_writer_setup *setup)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES); /* if this fails, the pipe holds fewer lines */
    *writer = (struct log_writer){.setup = *setup};
    writer->setup.input = ends[0];
    bool is_begun = dup2(ends[1], STDERR_FILENO) >= 0 && start_writer_process(writer);
    fd_close(ends[1]);
    return is_begun;
}

static void wait_for_process_end(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

bool log_writer_resume(struct log_writer *writer, const struct log_writer_setup *setup,
                       pid_t old_pid)
{
    kill(old_pid, SIGTERM);
    wait_for_process_end(old_pid);
    *writer = (struct log_writer){.setup = *setup};
    return start_writer_process(writer);
}

void log_writer_restart_if_dead(struct log_writer *writer)
{
    if (writer->pid == 0 || waitpid(writer->pid, NULL, WNOHANG) == 0) {
        return;
    }
    /* the process is dead, even if other code has reaped it */
    if (start_writer_process(writer)) {
        log_event(LOG_LEVEL_WARN, 0, "the process that writes the log had died");
    }
}

void log_writer_end(struct log_writer *writer)
{
    if (writer->pid == 0) {
        return;
    }
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int process = pidfd_open(writer->pid, 0);
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    if (process < 0 || poll(&end, 1, END_MS) != 1) {
        kill(writer->pid, SIGTERM);
    }
    fd_close(process);
    wait_for_process_end(writer->pid);
    close(writer->setup.input);
    writer->pid = 0;
}
