#include "daemon/base/log.h"

#include "daemon/base/process_name.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_END_ROOM 2 /* for a closing quote and the newline */

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

/* All of it or nothing: an escape is never cut in two. */
static void put(struct line *line, const char *text, size_t len)
{
    line->is_cut = line->is_cut || line->len + len > sizeof line->text - LINE_END_ROOM;
    if (!line->is_cut) {
        memcpy(line->text + line->len, text, len);
        line->len += len;
    }
}

static void put_text(struct line *line, const char *text)
{
    put(line, text, strlen(text));
}

static void put_head(struct line *line, enum log_level level, int64_t conn)
{
    struct timespec now;
    struct tm utc;
    char name[PROCESS_NAME_MAX];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    process_name(name);
    line->len = strftime(line->text, sizeof line->text, "%Y-%m-%dT%H:%M:%S", &utc);
    char rest[PROCESS_NAME_MAX + 64];
    snprintf(rest, sizeof rest, ".%03dZ %s %s conn=", (int)(now.tv_nsec / 1000000), name,
             level_names[level]);
    put_text(line, rest);
    put_text(line, conn != 0 ? LOG_NUMBER(conn) : "-");
}

static bool is_bare(const char *value)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "+,-./:@_";
    return value[0] != '\0' && value[strspn(value, bare)] == '\0';
}

static void put_quoted(struct line *line, const char *value)
{
    static const char digits[] = "0123456789abcdef";
    put_text(line, "\"");
    bool is_open = !line->is_cut;
    for (; *value != '\0' && !line->is_cut; value++) {
        unsigned char byte = (unsigned char)*value;
        if (byte >= 0x20 && byte < 0x7f && byte != '\\' && byte != '"') {
            put(line, value, 1);
        } else {
            put(line, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
        }
    }
    if (is_open) {
        line->text[line->len++] = '"'; /* which LINE_END_ROOM is for */
    }
}

static void put_pair(struct line *line, const char *key, const char *value)
{
    put_text(line, " ");
    put_text(line, key);
    put_text(line, "=");
    if (is_bare(value)) {
        put_text(line, value);
    } else {
        put_quoted(line, value);
    }
}

void log_pairs(enum log_level level, int64_t conn, const char *event, const char *const *pairs)
{
    int error = errno;
    if (level == LOG_LEVEL_DEBUG && getenv("TRICKHOUSE_DEBUG") == NULL) {
        return;
    }
    struct line line = {.len = 0};
    put_head(&line, level, conn);
    put_pair(&line, "event", event);
    for (; pairs[0] != NULL && !line.is_cut; pairs += 2) {
        if (pairs[1] != NULL) {
            put_pair(&line, pairs[0], pairs[1]);
        }
    }
    line.text[line.len++] = '\n';
    /* One write, so lines of several processes never mix. A log that cannot be written has nowhere
     * to say so: the event itself goes on. */
    ssize_t written = write(STDERR_FILENO, line.text, line.len);
    (void)written;
    errno = error;
}

struct log_number log_number(int64_t number)
{
    struct log_number result;
    snprintf(result.text, sizeof result.text, "%" PRId64, number);
    return result;
}

void log_event(enum log_level level, int64_t conn, const char *format, ...)
{
    char text[LOG_LINE_MAX];
    int error = errno;
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0) {
        text[0] = '\0';
    }
    va_end(args);
    errno = error;
    log_pairs(level, conn, "note", LOG_PAIRS("what", text));
}
