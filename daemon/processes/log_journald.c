#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/base/log_line.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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
