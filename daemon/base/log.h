#ifndef DAEMON_BASE_LOG_H
#define DAEMON_BASE_LOG_H

#include <stdint.h>

/*
 * One line per event on standard error, which the supervisor has pointed where it belongs:
 *
 *     2026-11-20T06:26:46.123Z house-core 812 info: signed in
 *
 * UTC, the process's name (process_name.h), the connection or "-", the level. Bytes that are not
 * printable ASCII, and backslashes, stand as \xNN: a line is always one line. Never give it
 * passwords, keys, private talk or hidden cards.
 */
enum log_level {
    LOG_LEVEL_ERROR, /* someone has to do something */
    LOG_LEVEL_WARN,  /* a peer or a limit; the house goes on */
    LOG_LEVEL_INFO,  /* comings and goings */
    LOG_LEVEL_DEBUG, /* only with TRICKHOUSE_DEBUG in the environment */
};

#define LOG_LINE_MAX 1024 /* longer lines are cut */

/* conn 0: about no connection. Keeps errno. */
void log_event(enum log_level level, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
