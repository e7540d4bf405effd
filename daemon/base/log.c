#include "daemon/base/log.h"

#include "daemon/base/process_name.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEY_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-_"
#define BARE_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+,-./:@_"
#define LINE_END_ROOM 2 /* room for a closing quote and the newline */

static const char *const level_names[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

struct line {
    char text[LOG_LINE_MAX];
    size_t len;
    bool is_cut;
};

/* Appends all of the text, or nothing if the line has no room for all of it, so that an escape
 * sequence is never split. */
static void append_bytes(struct line *line, const char *text, size_t len)
{
    line->is_cut = line->is_cut || line->len + len > sizeof line->text - LINE_END_ROOM;
    if (!line->is_cut) {
        memcpy(line->text + line->len, text, len);
        line->len += len;
    }
}

static void append_text(struct line *line, const char *text)
{
    append_bytes(line, text, strlen(text));
}

/* True if standard error is a stream of systemd's journal: systemd names the stream that it has
 * opened for a service in JOURNAL_STREAM (systemd.exec(5)). */
static bool writes_to_journal(void)
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

static void append_time(struct line *line)
{
    struct timespec now;
    struct tm utc;
    char milliseconds[16];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    line->len = strftime(line->text, sizeof line->text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(milliseconds, sizeof milliseconds, ".%03dZ ", (int)(now.tv_nsec / 1000000));
    append_text(line, milliseconds);
}

/* The journal keeps the time itself, and reads the priority from the start of the line
 * (sd-daemon(3)). */
static void append_line_start(struct line *line, const char *process_name, enum log_level level,
                              int64_t conn)
{
    static const char *const priorities[] = {
        [LOG_LEVEL_ERROR] = "<3>",
        [LOG_LEVEL_WARN] = "<4>",
        [LOG_LEVEL_INFO] = "<6>",
        [LOG_LEVEL_DEBUG] = "<7>",
    };
    if (writes_to_journal()) {
        append_text(line, priorities[level]);
    } else {
        append_time(line);
    }
    append_text(line, process_name);
    append_text(line, " ");
    append_text(line, level_names[level]);
    append_text(line, " conn=");
    append_text(line, conn != 0 ? LOG_NUMBER(conn) : "-");
}

static bool needs_no_quotes(const char *value)
{
    return value[0] != '\0' && value[strspn(value, BARE_BYTES)] == '\0';
}

static void append_quoted_value(struct line *line, const char *value)
{
    static const char digits[] = "0123456789abcdef";
    append_text(line, "\"");
    bool is_open = !line->is_cut;
    for (; *value != '\0' && !line->is_cut; value++) {
        unsigned char byte = (unsigned char)*value;
        if (byte >= 0x20 && byte < 0x7f && byte != '\\' && byte != '"' && byte != '=') {
            append_bytes(line, value, 1);
        } else {
            append_bytes(line, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
        }
    }
    if (is_open) {
        line->text[line->len++] = '"'; /* there is room: LINE_END_ROOM is kept for this quote */
    }
}

static void append_pair(struct line *line, const char *key, const char *value)
{
    append_text(line, " ");
    append_text(line, key);
    append_text(line, "=");
    if (needs_no_quotes(value)) {
        append_text(line, value);
    } else {
        append_quoted_value(line, value);
    }
}

/* Writes with one call, so that lines of several processes never mix. Ignores a failed write: there
 * is nowhere to report it. */
static void write_line(struct line *line)
{
    line->text[line->len++] = '\n';
    ssize_t written = write(STDERR_FILENO, line->text, line->len);
    (void)written;
}

void log_pairs(enum log_level level, int64_t conn, const char *event, const char *const *pairs)
{
    int error = errno;
    if (level == LOG_LEVEL_DEBUG && getenv("TRICKHOUSE_DEBUG") == NULL) {
        return;
    }
    struct line line = {.len = 0};
    char name[PROCESS_NAME_MAX];
    process_get_name(name);
    append_line_start(&line, name, level, conn);
    append_pair(&line, "event", event);
    for (; pairs[0] != NULL && !line.is_cut; pairs += 2) {
        if (pairs[1] != NULL) {
            append_pair(&line, pairs[0], pairs[1]);
        }
    }
    write_line(&line);
    errno = error;
}

struct log_number_text log_format_number(int64_t number)
{
    struct log_number_text result;
    snprintf(result.text, sizeof result.text, "%" PRId64, number);
    return result;
}

/* Preserves errno. */
__attribute__((format(printf, 2, 0))) static void format_text(char text[LOG_LINE_MAX],
                                                              const char *format, va_list args)
{
    int error = errno;
    if (vsnprintf(text, LOG_LINE_MAX, format, args) < 0) {
        text[0] = '\0';
    }
    errno = error;
}

void log_event(enum log_level level, int64_t conn, const char *format, ...)
{
    char text[LOG_LINE_MAX];
    va_list args;
    va_start(args, format);
    format_text(text, format, args);
    va_end(args);
    log_pairs(level, conn, "note", LOG_PAIRS("what", text));
}

bool log_failure(const char *format, ...)
{
    char text[LOG_LINE_MAX];
    va_list args;
    va_start(args, format);
    format_text(text, format, args);
    va_end(args);
    log_event(LOG_LEVEL_ERROR, 0, "%s: %s", text, strerror(errno));
    return false;
}

/* Moves *at behind the prefix. Returns false, and moves nothing, if the text at *at begins
 * differently. */
static bool skip_prefix(const char **at, const char *prefix)
{
    size_t len = strlen(prefix);
    bool is_there = strncmp(*at, prefix, len) == 0;
    *at += is_there ? len : 0;
    return is_there;
}

/* If the next word at *at is in `words`, moves *at behind it and returns its index. Returns -1
 * otherwise. A word ends at a space or at the end of the text. */
static int skip_one_of_words(const char **at, const char *const *words, size_t count)
{
    size_t len = strcspn(*at, " ");
    for (size_t i = 0; i < count && words[i] != NULL; i++) {
        if (strlen(words[i]) == len && strncmp(*at, words[i], len) == 0) {
            *at += len;
            return (int)i;
        }
    }
    return -1;
}

static bool skip_quoted_value(const char **at)
{
    const char *end = *at + 1;
    while (*end != '\0' && *end != '"') {
        bool is_escape = end[0] == '\\';
        if (*end < 0x20 || *end >= 0x7f || *end == '=' ||
            (is_escape && (end[1] != 'x' || strspn(end + 2, "0123456789abcdef") < 2))) {
            return false;
        }
        end += is_escape ? 4 : 1;
    }
    *at = end + 1;
    return *end == '"';
}

/* True if the text up to its end consists of " key=value" pairs in the form that append_pair
 * writes. */
static bool are_valid_pairs(const char *text)
{
    while (*text != '\0') {
        size_t key_len = *text == ' ' ? strspn(text + 1, KEY_BYTES) : 0;
        if (key_len == 0 || text[1 + key_len] != '=') {
            return false;
        }
        text += key_len + 2;
        size_t bare_len = strspn(text, BARE_BYTES);
        if (*text == '"' ? !skip_quoted_value(&text) : bare_len == 0) {
            return false;
        }
        text += bare_len;
    }
    return true;
}

bool log_relay_line(const char *process_name, int64_t conn, const char *text,
                    const char *const *allowed_events)
{
    static const char time_form[] = "2026-11-20T06:26:46.123Z ";
    const char *at = text;
    if (strlen(text) < sizeof time_form) {
        return false;
    }
    at += sizeof time_form - 1;
    bool is_good = skip_prefix(&at, process_name) && skip_prefix(&at, " ");
    int level = is_good ? skip_one_of_words(&at, level_names, ARRAY_LEN(level_names)) : -1;
    is_good = level >= 0 && skip_prefix(&at, " conn=") &&
              (skip_prefix(&at, LOG_NUMBER(conn)) || skip_prefix(&at, "-"));
    const char *rest = at;
    is_good = is_good && skip_prefix(&at, " event=") &&
              skip_one_of_words(&at, allowed_events, SIZE_MAX) >= 0 && are_valid_pairs(at);
    if (!is_good) {
        return false;
    }
    struct line line = {.len = 0};
    append_line_start(&line, process_name, (enum log_level)level, conn);
    append_text(&line, rest);
    if (!line.is_cut) {
        write_line(&line);
    }
    return !line.is_cut;
}
