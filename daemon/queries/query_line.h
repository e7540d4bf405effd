#pragma once

#include "games/macros.h"

#include <stddef.h>

/*
 * The line that somebody wrote after `ssh HOST`, split into words. There are no quotes, variables
 * or wildcards, since this is no shell: words are separated by blanks.
 */
enum {
    QUERY_LINE_MAX = 1000, /* maximum length of a line in bytes */
    QUERY_WORDS_MAX = 16,
    QUERY_NAME_MAX = 15,
};

struct query_line {
    char text[QUERY_LINE_MAX + 1]; /* the line, with a NUL after each word */
    const char *words[QUERY_WORDS_MAX];
    size_t count;
};

enum query_line_result {
    QUERY_LINE_OK = 0,
    QUERY_LINE_EMPTY,
    QUERY_LINE_BAD, /* the line is too long, has too many words, or contains more than printable
                       ASCII */
};

/* Splits a line into words, which point into *out; *out must not move. */
enum query_line_result query_line_split_words(const char *line, struct query_line *out) MUST_CHECK;

/* Copies the first word of a line; "" if it does not fit `size` bytes. */
void query_line_copy_first_word(const char *line, char *word, size_t size);

/* Returns what follows the first word of a line; borrowed from it. */
const char *query_line_skip_first_word(const char *line);
