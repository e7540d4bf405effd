#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/base/log_line.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Opens the file, which is made if missing, and makes it the standard error of this process too.
 * Returns false with errno. */
static bool log_file_open(struct log_file *log)
{
    struct stat status;
    int file = files_open_regular(log->path, O_WRONLY | O_APPEND | O_CREAT);
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
    for (unsigned i = log->keep; i > 0 && is_done; i--) {
        (void)snprintf(to, sizeof to, "%s.%u", log->path, i);
        (void)snprintf(from, sizeof from, i == 1 ? "%s" : "%s.%u", log->path, i - 1);
        is_done = rename(from, to) == 0 || errno == ENOENT;
    }
    if (!is_done || !log_file_open(log)) {
        log_failure("the log cannot be renamed");
        log->size = 0; /* try to rename again once most_bytes more bytes were written */
    }
}

/* Writes a line, with its newline; opens the file if it is not open. If that fails, there is
 * nowhere to report it: the line is lost, and the house continues. */
static void log_file_write_line(struct log_file *log, const char *line, size_t len)
{
    if (log->size > 0 && log->size + len > log->most_bytes) {
        rotate_files(log);
    }
    if (log->file < 0 && !log_file_open(log)) {
        return;
    }
    while (len > 0) {
        ssize_t put = write(log->file, line, len);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return;
        }
        log->size += (uint64_t)put;
        line += put;
        len -= (size_t)put;
    }
}

#define TEXT_MAX 4096     /* longer texts that are no lines of the log are truncated */
#define ENTRY_MAX 16384   /* a line and all its fields */
#define FIELD_NAME_MAX 64 /* the journal ignores fields with longer names */
#define FIELD_PREFIX "TRICKHOUSE_"

/* An entry of the journal: lines of the form NAME=value. */
struct entry {
    char bytes[ENTRY_MAX];
    size_t len;
};

/* The levels of syslog(3). */
static const char *const priorities[] = {
    [LOG_LEVEL_ERROR] = "3",
    [LOG_LEVEL_WARN] = "4",
    [LOG_LEVEL_INFO] = "6",
    [LOG_LEVEL_DEBUG] = "7",
};

bool log_journald_is_stderr(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat file;
    char own[64];
    if (stream == NULL || fstat(STDERR_FILENO, &file) != 0) {
        return false;
    }
    snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)file.st_dev, (uintmax_t)file.st_ino);
    return strcmp(stream, own) == 0;
}

static bool connect_to_journal(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    return connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

int log_journald_connect(const char *path)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && !connect_to_journal(fd, path)) {
        fd_close_and_reset(&fd);
    }
    return fd;
}

static void append_bytes(struct entry *entry, const char *bytes, size_t len)
{
    memcpy(entry->bytes + entry->len, bytes, len);
    entry->len += len;
}

/* Leaves out a field that has no room. */
static void add_field(struct entry *entry, const char *name, const char *value, size_t value_len)
{
    size_t name_len = strlen(name);
    if (name_len + value_len + 2 <= sizeof entry->bytes - entry->len) {
        append_bytes(entry, name, name_len);
        append_bytes(entry, "=", 1);
        append_bytes(entry, value, value_len);
        append_bytes(entry, "\n", 1);
    }
}

static void add_text_field(struct entry *entry, const char *name, const char *value)
{
    add_field(entry, name, value, strlen(value));
}

/* Adds the field TRICKHOUSE_CIPHER_IN for the key cipher_in. */
static void add_pair(struct entry *entry, const struct log_line_pair *pair)
{
    char name[FIELD_NAME_MAX + 1] = FIELD_PREFIX;
    size_t len = strlen(name);
    if (len + pair->key_len <= FIELD_NAME_MAX) {
        memcpy(name + len, pair->key, pair->key_len);
        for (char *at = name + len; *at != '\0'; at++) {
            bool is_letter = *at >= 'a' && *at <= 'z';
            *at = (char)(is_letter ? *at - 'a' + 'A' : *at == '-' ? '_' : *at);
        }
        add_field(entry, name, pair->value, pair->value_len);
    }
}

static void add_fields_of_line(struct entry *entry, const struct log_line *line)
{
    const char *pairs = line->pairs;
    struct log_line_pair pair;
    add_text_field(entry, FIELD_PREFIX "PROCESS", line->process_name);
    if (line->conn != 0) {
        add_text_field(entry, FIELD_PREFIX "CONN", LOG_NUMBER(line->conn));
    }
    while (log_line_next_pair(&pairs, &pair)) {
        add_pair(entry, &pair);
    }
}

static void make_entry(struct entry *entry, const char *message, const char *priority)
{
    entry->len = 0;
    add_text_field(entry, "MESSAGE", message);
    add_text_field(entry, "PRIORITY", priority);
    add_text_field(entry, "SYSLOG_IDENTIFIER", "trickhouse");
}

static bool send_now(int fd, const char *bytes, size_t len)
{
    return send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len;
}

/* Sends the entry to a journal that perhaps has just no room, or was started anew. */
static bool send_entry(struct log_journald *journald, const struct entry *entry)
{
    bool is_sent = send_now(journald->socket, entry->bytes, entry->len);
    if (!is_sent && errno == EAGAIN && !journald->is_full) {
        struct pollfd room = {.fd = journald->socket, .events = POLLOUT};
        journald->is_full = poll(&room, 1, LOG_JOURNALD_WAIT_MS) != 1;
        is_sent = !journald->is_full && send_now(journald->socket, entry->bytes, entry->len);
    } else if (!is_sent && errno != EAGAIN &&
               connect_to_journal(journald->socket, journald->path)) {
        is_sent = send_now(journald->socket, entry->bytes, entry->len);
    }
    journald->is_full = journald->is_full && !is_sent;
    return is_sent;
}

/* Sends the message as one line that begins with its priority, "<6>" (sd-daemon(3)). */
static bool send_to_stream(const struct log_journald *journald, const char *message,
                           const char *priority)
{
    char text[TEXT_MAX + 8];
    int len = snprintf(text, sizeof text, "<%s>%s\n", priority, message);
    return len > 0 && len < (int)sizeof text && send_now(journald->stream, text, (size_t)len);
}

static bool deliver(struct log_journald *journald, const struct entry *entry, const char *message,
                    const char *priority)
{
    return send_entry(journald, entry) || send_to_stream(journald, message, priority);
}

static void report_lost_lines(struct log_journald *journald)
{
    const char *priority = priorities[LOG_LEVEL_WARN];
    char message[64];
    int start = snprintf(message, sizeof message, "log warn conn=-");
    snprintf(message + start, sizeof message - (size_t)start, " event=lost count=%u",
             journald->lost);
    const struct log_line line = {.process_name = "log", .pairs = message + start};
    struct entry entry;
    make_entry(&entry, message, priority);
    add_fields_of_line(&entry, &line);
    journald->lost = deliver(journald, &entry, message, priority) ? 0 : journald->lost;
}

void log_journald_write_line(struct log_journald *journald, const char *line, size_t len)
{
    char text[TEXT_MAX];
    struct log_line parsed;
    struct entry entry;
    len -= len > 0 && line[len - 1] == '\n' ? 1 : 0;
    len = len < sizeof text ? len : sizeof text - 1;
    memcpy(text, line, len);
    text[len] = '\0';
    bool is_line = log_line_parse(text, &parsed);
    const char *message = is_line ? parsed.message : text;
    const char *priority = priorities[is_line ? parsed.level : LOG_LEVEL_WARN];
    make_entry(&entry, message, priority);
    if (is_line) {
        add_fields_of_line(&entry, &parsed);
    }
    if (journald->lost > 0) {
        report_lost_lines(journald);
    }
    if (!deliver(journald, &entry, message, priority)) {
        journald->lost++;
    }
}

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
    fd_close(output.file.file); /* standard error stays open */
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

/* Makes the pipe, whose writing end becomes the standard error of this process and its children,
 * and starts the process. Returns false with errno; then standard error is as before. */
static bool begin(struct log_writer *writer)
{
    int ends[2];
    struct log_writer_setup *setup = &writer->setup;
    int former_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (former_stderr < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        fd_close(former_stderr);
        return false;
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES); /* if this fails, the pipe holds fewer lines */
    setup->input = ends[0];
    setup->stream = setup->path == NULL ? former_stderr : -1;
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

/* Keeps the pipe after an exec and replaces the running process. The new one writes the lines that
 * the old one has not written. Returns false with errno; then standard error is the journal's
 * stream again, if there is one. */
static bool resume(struct log_writer *writer, pid_t old_pid)
{
    kill(old_pid, SIGTERM);
    wait_for_process_end(old_pid);
    bool is_started = start_writer_process(writer);
    if (!is_started && writer->setup.stream >= 0) {
        dup2(writer->setup.stream, STDERR_FILENO);
    }
    return is_started;
}

static bool begin_or_resume(struct log_writer *writer, const json_t *image)
{
    const json_t *pid = json_object_get(image, "log_pid");
    return writer->setup.input < 0 ? begin(writer) : resume(writer, (pid_t)json_integer_value(pid));
}

/* Checks that the log can be written. At this time standard error still reaches the person who
 * opens the house. */
static bool can_write_log(const char *path)
{
    int file = files_open_regular(path, O_WRONLY | O_APPEND | O_CREAT);
    fd_close(file);
    return file >= 0 || log_failure("%s", path);
}

bool log_writer_begin(struct log_writer *writer, const char *path, const struct config *config,
                      const struct metrics *metrics, const json_t *image)
{
    int stream = image_read_descriptor(image, "log_stream");
    struct log_writer_setup *setup = &writer->setup;
    *writer = (struct log_writer){.setup = {.path = path,
                                            .most_bytes = (uint64_t)config->log_most_mib << 20,
                                            .keep = config->log_keep,
                                            .input = image_read_descriptor(image, "log_input"),
                                            .journal = -1,
                                            .stream = stream,
                                            .metrics = *metrics}};
    if (path != NULL) {
        return (image != NULL || can_write_log(path)) &&
               (begin_or_resume(writer, image) || log_failure("the log cannot be written"));
    }
    if (stream >= 0 || log_journald_is_stderr()) {
        setup->journal = log_journald_connect(LOG_JOURNALD_SOCKET);
        bool is_begun = setup->input >= 0 || setup->journal >= 0;
        if (!is_begun || !begin_or_resume(writer, image)) {
            log_failure("no structured entries in the journal");
            fd_close(setup->journal);
        }
    }
    return true;
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
