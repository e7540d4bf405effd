#include "daemon/base/base.h"

#include "daemon/base/log_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    append_text(line, log_line_level_word(level));
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
