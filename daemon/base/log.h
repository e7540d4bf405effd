#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes one line per event to standard error, which the supervisor has redirected:
 *
 *     2026-11-20T06:26:46.123Z core info conn=812 event=sign-in method=key account=mira
 *     2026-11-20T06:26:46.123Z gate error conn=- event=note what="cannot accept: out of memory"
 *
 * A line contains the time in UTC, the process's name (process_name.h), the level, the connection
 * or "-" for none, the event, and key=value pairs (daemon/processes/README.md lists the events). A
 * value of letters, digits and +,-./:@_ is written as it is, any other in double quotes. There
 * double quotes, backslashes, equals signs and everything but printable ASCII are escaped as \xNN,
 * so that an event is always one line, and no part of a value looks like a key. Never log
 * passwords, codes, private messages or hidden cards, nor a name that no account has: some people
 * type a password there. log_line.h takes lines apart.
 */
enum log_level {
    LOG_LEVEL_ERROR, /* errors that a person must fix */
    LOG_LEVEL_WARN,  /* misbehaving clients and reached limits; the house goes on */
    LOG_LEVEL_INFO,  /* normal events */
    LOG_LEVEL_DEBUG, /* details, logged only if TRICKHOUSE_DEBUG is set in the environment */
};

#define LOG_LINE_MAX 1024 /* longer lines are truncated; a quoted value keeps its closing quote */

/* Logs an event: its name, then keys and values alternately, ended by NULL (LOG_PAIRS). A key whose
 * value is NULL is left out. Event names and keys are constants of our code, never text from
 * outside: lower-case letters, digits, - and _. conn is 0 if the event concerns no connection.
 * Preserves errno. */
void log_pairs(enum log_level level, int64_t conn, const char *event, const char *const *pairs);

#define LOG_PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/*
 * Logs a line that a distrusted process has written with log_pairs. The process name and connection
 * given here and the current time replace those in the line. `text` is the line without its
 * newline. The line must have the form that log_pairs writes, concern the given connection or none,
 * have one of the given events (the list ends with NULL), and no key `event`, `conn` or `process`
 * besides. Otherwise returns false and writes nothing.
 */
bool log_relay_line(const char *process_name, int64_t conn, const char *text,
                    const char *const *allowed_events) MUST_CHECK;

struct log_number_text {
    char text[24];
};

/* Writes a number as text, for LOG_PAIRS: LOG_NUMBER(5). */
struct log_number_text log_format_number(int64_t number);
#define LOG_NUMBER(number_) (log_format_number(number_).text)

/* Logs a sentence for people as the event `note`, under the key `what`. */
void log_event(enum log_level level, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Logs a sentence for people as an error, followed by the text of errno: "…: No such file or
 * directory". Always returns false, so that a caller can return the result. Preserves errno. */
bool log_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
