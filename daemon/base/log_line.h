#pragma once

#include "daemon/base/base.h"

#include <stddef.h>

/* Takes apart lines of the log, which have the form described in base.h. */

/* The bytes of a value that needs no quotes. */
#define LOG_LINE_BARE_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+,-./:@_"

/* A line's parts. The pointers point into the text of the line. */
struct log_line {
    const char *message; /* the line without its time */
    char process_name[PROCESS_NAME_MAX];
    enum log_level level;
    int64_t conn;      /* 0: the line concerns no connection */
    const char *pairs; /* the event and all that follows it: " event=note what=odd" */
};

/* A key and its value, neither ended by NUL. */
struct log_line_pair {
    const char *key, *value;
    size_t key_len, value_len; /* in bytes; the value is without its quotes, but escaped (base.h) */
};

/* Takes a line apart; `text` is the line without its newline and is borrowed. Returns false if the
 * line does not have the form of base.h, or if its first pair is not the event. */
bool log_line_parse(const char *text, struct log_line *line) MUST_CHECK;

/* Reads the pair at *pairs (the member of struct log_line) and moves *pairs behind it. Returns
 * false if no pair is there: at the end of the line, or in a line that log_line_parse refuses. */
bool log_line_next_pair(const char **pairs, struct log_line_pair *pair) MUST_CHECK;

/* True if the pair's key is this text. */
bool log_line_has_key(const struct log_line_pair *pair, const char *key);
