#include "daemon/base/log.h"

#include "daemon/base/process_name.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

/* Everything before the message; returns its length. */
static size_t write_head(char *line, size_t cap, enum log_level level, int64_t conn)
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(line, cap, "%Y-%m-%dT%H:%M:%S", &utc);
    char name[PROCESS_NAME_MAX];
    process_name(name);
    char about[24] = "-";
    if (conn != 0) {
        snprintf(about, sizeof about, "%" PRId64, conn);
    }
    int more = snprintf(line + len, cap - len, ".%03dZ %s %s %s: ", (int)(now.tv_nsec / 1000000),
                        name, about, level_names[level]);
    return len + (more > 0 ? (size_t)more : 0);
}

/* Appends text with everything but printable ASCII as \xNN; stops where no more fits. */
static size_t write_escaped(char *line, size_t len, size_t cap, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        bool is_plain = byte >= 0x20 && byte < 0x7f && byte != '\\';
        if (len + (is_plain ? 1 : 4) > cap) {
            break;
        }
        if (is_plain) {
            line[len++] = (char)byte;
            continue;
        }
        line[len++] = '\\';
        line[len++] = 'x';
        line[len++] = digits[byte >> 4];
        line[len++] = digits[byte & 15];
    }
    return len;
}

void log_event(enum log_level level, int64_t conn, const char *format, ...)
{
    int error = errno;
    if (level == LOG_LEVEL_DEBUG && getenv("TRICKHOUSE_DEBUG") == NULL) {
        return;
    }
    char text[LOG_LINE_MAX];
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0) {
        text[0] = '\0';
    }
    va_end(args);
    char line[LOG_LINE_MAX];
    size_t len = write_head(line, sizeof line, level, conn);
    len = write_escaped(line, len, sizeof line - 1, text);
    line[len++] = '\n';
    /* One write, so lines of several processes never mix. A log that cannot be written has nowhere
     * to say so: the event itself goes on. */
    ssize_t written = write(STDERR_FILENO, line, len);
    (void)written;
    errno = error;
}
