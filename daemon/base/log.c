#include "daemon/base/log_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define KEY_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-_"
#define DIGITS "0123456789"
#define CONN_DIGITS_MAX 18 /* so that every number fits in an int64_t */

static const char *const level_words[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

/* Moves *at behind the prefix. Returns false, and moves nothing, if the text at *at begins
 * differently. */
static bool skip_prefix(const char **at, const char *prefix)
{
    size_t len = strlen(prefix);
    bool is_there = strncmp(*at, prefix, len) == 0;
    *at += is_there ? len : 0;
    return is_there;
}

static bool skip_time(const char **at)
{
    static const char form[] = "2026-11-20T06:26:46.123Z ";
    size_t len = sizeof form - 1;
    if (strnlen(*at, len) < len || (*at)[len - 2] != 'Z' || (*at)[len - 1] != ' ') {
        return false;
    }
    *at += len;
    return true;
}

static bool read_process_name(const char **at, char name[PROCESS_NAME_MAX])
{
    size_t len = strcspn(*at, " ");
    if (len == 0 || len >= PROCESS_NAME_MAX) {
        return false;
    }
    memcpy(name, *at, len);
    name[len] = '\0';
    *at += len;
    return true;
}

static bool read_level(const char **at, enum log_level *level)
{
    size_t len = strcspn(*at, " ");
    for (size_t i = 0; i < ARRAY_LEN(level_words); i++) {
        if (strlen(level_words[i]) == len && strncmp(*at, level_words[i], len) == 0) {
            *at += len;
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

/* Reads a connection's number, or "-" as 0. */
static bool read_conn(const char **at, int64_t *conn)
{
    size_t len = strspn(*at, DIGITS);
    *conn = 0;
    if (skip_prefix(at, "-")) {
        return true;
    }
    if (len == 0 || len > CONN_DIGITS_MAX || **at == '0') {
        return false;
    }
    *conn = strtoll(*at, NULL, 10);
    *at += len;
    return true;
}

/* Moves *at behind a value's closing quote. */
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

bool log_line_next_pair(const char **pairs, struct log_line_pair *pair)
{
    const char *at = *pairs;
    if (!skip_prefix(&at, " ")) {
        return false;
    }
    pair->key = at;
    pair->key_len = strspn(at, KEY_BYTES);
    at += pair->key_len;
    if (pair->key_len == 0 || !skip_prefix(&at, "=")) {
        return false;
    }
    pair->value = at;
    if (*at == '"') {
        if (!skip_quoted_value(&at)) {
            return false;
        }
        pair->value++;
        pair->value_len = (size_t)(at - pair->value) - 1;
    } else {
        pair->value_len = strspn(at, LOG_LINE_BARE_BYTES);
        at += pair->value_len;
        if (pair->value_len == 0) {
            return false;
        }
    }
    *pairs = at;
    return *at == '\0' || *at == ' ';
}

bool log_line_has_key(const struct log_line_pair *pair, const char *key)
{
    return strlen(key) == pair->key_len && strncmp(pair->key, key, pair->key_len) == 0;
}

bool log_line_parse(const char *text, struct log_line *line)
{
    const char *at = text;
    struct log_line_pair pair;
    if (!skip_time(&at)) {
        return false;
    }
    line->message = at;
    if (!read_process_name(&at, line->process_name) || !skip_prefix(&at, " ") ||
        !read_level(&at, &line->level) || !skip_prefix(&at, " conn=") ||
        !read_conn(&at, &line->conn)) {
        return false;
    }
    line->pairs = at;
    bool is_quoted = !log_line_next_pair(&at, &pair) || pair.value[-1] == '"';
    if (is_quoted || !log_line_has_key(&pair, "event")) {
        return false;
    }
    while (*at != '\0') {
        if (!log_line_next_pair(&at, &pair)) {
            return false;
        }
    }
    return true;
}

#define LINE_END_ROOM 2 /* room for a closing quote and the newline */

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

static void append_line_start(struct line *line, const char *process_name, enum log_level level,
                              int64_t conn)
{
    append_time(line);
    append_text(line, process_name);
    append_text(line, " ");
    append_text(line, level_words[level]);
    append_text(line, " conn=");
    append_text(line, conn != 0 ? LOG_NUMBER(conn) : "-");
}

static bool needs_no_quotes(const char *value)
{
    return value[0] != '\0' && value[strspn(value, LOG_LINE_BARE_BYTES)] == '\0';
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

/* Writes the name of this process into `name`. */
static void process_get_name(char name[PROCESS_NAME_MAX])
{
    name[0] = '\0';
    prctl(PR_GET_NAME, name);
    name[PROCESS_NAME_MAX - 1] = '\0';
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

static bool is_allowed_event(const struct log_line_pair *event, const char *const *allowed)
{
    for (; *allowed != NULL; allowed++) {
        if (strlen(*allowed) == event->value_len &&
            strncmp(event->value, *allowed, event->value_len) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the pairs begin with an allowed event, and no later pair poses as a part that every line
 * has. */
static bool are_allowed_pairs(const char *pairs, const char *const *allowed_events)
{
    struct log_line_pair pair;
    if (!log_line_next_pair(&pairs, &pair) || !is_allowed_event(&pair, allowed_events)) {
        return false;
    }
    while (log_line_next_pair(&pairs, &pair)) {
        if (log_line_has_key(&pair, "event") || log_line_has_key(&pair, "conn") ||
            log_line_has_key(&pair, "process")) {
            return false;
        }
    }
    return true;
}

bool log_relay_line(const char *process_name, int64_t conn, const char *text,
                    const char *const *allowed_events)
{
    struct log_line parsed;
    if (!log_line_parse(text, &parsed) || strcmp(parsed.process_name, process_name) != 0 ||
        (parsed.conn != 0 && parsed.conn != conn) ||
        !are_allowed_pairs(parsed.pairs, allowed_events)) {
        return false;
    }
    struct line line = {.len = 0};
    append_line_start(&line, process_name, parsed.level, conn);
    append_text(&line, parsed.pairs);
    if (!line.is_cut) {
        write_line(&line);
    }
    return !line.is_cut;
}
