#pragma once

#include "games/macros.h"

#include <stddef.h>

/*
 * What somebody wrote after `ssh HOST`, in words. There are no quotes, no variables and no
 * wildcards: this is no shell, and words are what stands between blanks.
 */
enum {
    QUERY_LINE_MAX = 1000, /* bytes */
    QUERY_WORDS_MAX = 16,
    QUERY_NAME_MAX = 15,
};

struct query_line {
    char text[QUERY_LINE_MAX + 1]; /* the words, each NUL-ended */
    const char *words[QUERY_WORDS_MAX];
    size_t count;
};

enum query_line_result {
    QUERY_LINE_OK = 0,
    QUERY_LINE_EMPTY,
    QUERY_LINE_BAD, /* too long, too many words, or other than printable ASCII */
};

/* Takes the line apart, in place; the words point into *out, which must stay where it is. */
enum query_line_result query_line_read(const char *line, struct query_line *out) MUST_CHECK;

/* The line's first word, "" when that has no room in `size` bytes. */
void query_line_first(const char *line, char *word, size_t size);

/* What follows the line's first word, borrowed from it. */
const char *query_line_rest(const char *line);
