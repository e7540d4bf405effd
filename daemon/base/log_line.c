#include "daemon/base/log_line.h"

#include <stdlib.h>
#include <string.h>

#define KEY_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-_"
#define DIGITS "0123456789"
#define CONN_DIGITS_MAX 18 /* so that every number fits in an int64_t */

static const char *const level_words[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

const char *log_line_level_word(enum log_level level)
{
    return level_words[level];
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
