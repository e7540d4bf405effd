#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK_BYTES 65536
#define END_MS 2000
/* Size of the pipe, which holds the log's lines while the disk is slow. The system may grant
 * less. */
#define PIPE_BYTES (1 << 20)

struct log_output {
    bool is_file;
    struct log_file file;
    struct log_journald journald;
    char chunk[CHUNK_BYTES]; /* bytes that have arrived */
    size_t chunk_len;
};

static bool open_output(struct log_output *output, const struct log_writer_setup *setup)
{
    *output = (struct log_output){
        .is_file = setup->path != NULL,
        .file = {.path = setup->path,
                 .most_bytes = setup->most_bytes,
                 .keep = setup->keep,
                 .file = -1},
        .journald = {.path = LOG_JOURNALD_SOCKET,
                     .socket = setup->journal,
                     .stream = setup->stream},
    };
    if (output->is_file && !log_file_open(&output->file)) {
        /* an open house goes on without its log: each line tries to open the file again */
        (void)log_failure("%s", setup->path);
    }
    return output->is_file || dup2(setup->stream, STDERR_FILENO) >= 0;
}

static void write_line(struct log_output *output, const char *line, size_t len)
{
    if (output->is_file) {
        log_file_write_line(&output->file, line, len);
    } else {
        log_journald_write_line(&output->journald, line, len);
    }
}

/* Writes the lines in the chunk. A line whose end has not arrived stays there, unless it fills the
 * chunk or `is_end`: no more bytes will come. */
static void write_lines(struct log_output *output, bool is_end)
{
    const char *line = output->chunk;
    size_t left = output->chunk_len;
    while (left > 0) {
        const char *end = memchr(line, '\n', left);
        size_t len = end == NULL ? left : (size_t)(end - line) + 1;
        if (end == NULL && !is_end && left < sizeof output->chunk) {
            break;
        }
        write_line(output, line, len);
        line += len;
        left -= len;
    }
    memmove(output->chunk, line, left);
    output->chunk_len = left;
}

/* Copies bytes from the pipe to the log. Returns false if no bytes wait in the pipe, or no more
 * will come. */
static bool copy_to_log(struct log_output *output, int input)
{
    struct pollfd ready = {.fd = input, .events = POLLIN};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLIN) == 0) {
        return false;
    }
    assert(output->chunk_len < sizeof output->chunk); /* write_lines leaves room */
    ssize_t got =
        read(input, output->chunk + output->chunk_len, sizeof output->chunk - output->chunk_len);
    if (got > 0) {
        output->chunk_len += (size_t)got;
        write_lines(output, false);
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

/* Copies to the log until a signal arrives or no process has the pipe open for writing. */
static bool copy_until_stopped(struct log_output *output, const struct log_writer_setup *setup,
                               int stop)
{
    const struct metrics metrics = {setup->metrics.page, LIFE_LOG};
    int input = setup->input;
    struct pollfd wanted[] = {{.fd = input, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
    while (wanted[1].revents == 0) {
        life_give_sign(&metrics, LIFE_WAITS);
        if (poll(wanted, 2, LIFE_EVERY_MS) < 0 && errno != EINTR) {
            return false;
        }
        if (!copy_to_log(output, input) && (wanted[0].revents & POLLHUP) != 0) {
            break;
        }
    }
    while (copy_to_log(output, input)) {
    }
    write_lines(output, true);
    return true;
}

int log_writer_run(const struct log_writer_setup *setup)
{
    static struct log_output output; /* too large for the stack */
    int stop = open_sigterm_descriptor();
    (void)signal(SIGINT, SIG_IGN); /* Ctrl-C at the house's terminal is meant for the supervisor */
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    if (stop < 0 || !open_output(&output, setup) || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
        log_failure("cannot write %s", setup->path != NULL ? setup->path : "to the journal");
        return 1;
    }
    bool is_done = copy_until_stopped(&output, setup, stop);
    log_file_close(&output.file);
    return is_done ? 0 : 1;
}

static int run_log_writer(const void *context)
{
    return log_writer_run(context);
}

static bool start_writer_process(struct log_writer *writer)
{
    const struct child_plan plan = {
        .name = "log",
        .keep = {writer->setup.input, writer->setup.journal, writer->setup.stream},
        .keep_count = 3,
        .reach = REACH_NOTHING,
        .run = run_log_writer,
        .context = &writer->setup,
    };
    pid_t pid = child_fork(&plan);
    writer->pid = pid > 0 ? pid : 0;
    if (pid > 0) {
        life_note_start(&writer->setup.metrics, LIFE_LOG, plan.name, pid);
    }
    return pid > 0;
}

bool log_writer_begin(struct log_writer *writer, const struct log_writer_setup *setup)
{
    int ends[2];
    int former_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *writer = (struct log_writer){.setup = *setup};
    if (former_stderr < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        fd_close(former_stderr);
        return false;
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES); /* if this fails, the pipe holds fewer lines */
    writer->setup.input = ends[0];
    writer->setup.stream = setup->path == NULL ? former_stderr : -1;
    bool is_begun = dup2(ends[1], STDERR_FILENO) >= 0 && start_writer_process(writer);
    fd_close(ends[1]);
    if (!is_begun) {
        dup2(former_stderr, STDERR_FILENO);
        fd_close(ends[0]);
    }
    if (!is_begun || setup->path != NULL) {
        fd_close(former_stderr);
    }
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
    bool is_started = start_writer_process(writer);
    if (!is_started && setup->stream >= 0) {
        dup2(setup->stream, STDERR_FILENO);
    }
    return is_started;
}

void log_writer_restart_if_dead(struct log_writer *writer)
{
    if (writer->pid == 0 || waitpid(writer->pid, NULL, WNOHANG) == 0) {
        return;
    }
    /* the process is dead, even if other code has reaped it */
    life_note_death(&writer->setup.metrics, LIFE_LOG);
    if (start_writer_process(writer)) {
        log_event(LOG_LEVEL_WARN, 0, "the process that writes the log had died");
    }
}

void log_writer_end(struct log_writer *writer)
{
    struct log_writer_setup *setup = &writer->setup;
    if (writer->pid == 0) {
        return;
    }
    int nowhere = setup->path != NULL ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    int process = fd_open_process(writer->pid);
    struct pollfd end = {.fd = process, .events = POLLIN};
    dup2(setup->path != NULL ? nowhere : setup->stream, STDERR_FILENO);
    if (process < 0 || poll(&end, 1, END_MS) != 1) {
        kill(writer->pid, SIGTERM);
    }
    wait_for_process_end(writer->pid);
    const int descriptors[] = {nowhere, process, setup->input, setup->journal, setup->stream};
    for (size_t i = 0; i < ARRAY_LEN(descriptors); i++) {
        fd_close(descriptors[i]);
    }
    writer->pid = 0;
}
