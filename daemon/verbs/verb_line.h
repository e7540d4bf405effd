#ifndef DAEMON_VERBS_VERB_LINE_H
#define DAEMON_VERBS_VERB_LINE_H

#include "games/macros.h"

#include <stddef.h>

/*
 * What somebody wrote after `ssh HOST`, in words. There are no quotes, no variables and no
 * wildcards: this is no shell, and words are what stands between blanks.
 */
enum {
    VERB_LINE_MAX = 1000, /* bytes */
    VERB_WORDS_MAX = 16,
    VERB_NAME_MAX = 15,
};

struct verb_line {
    char text[VERB_LINE_MAX + 1]; /* the words, each NUL-ended */
    const char *words[VERB_WORDS_MAX];
    size_t count;
};

enum verb_line_result {
    VERB_LINE_OK = 0,
    VERB_LINE_EMPTY,
    VERB_LINE_BAD, /* too long, too many words, or other than printable ASCII */
};

/* Takes the line apart, in place; the words point into *out, which must stay where it is. */
enum verb_line_result verb_line_read(const char *line, struct verb_line *out) MUST_CHECK;

/* The line's first word, "" when that has no room in `size` bytes. */
void verb_line_first(const char *line, char *word, size_t size);

/* What follows the line's first word, borrowed from it. */
const char *verb_line_rest(const char *line);

#endif
