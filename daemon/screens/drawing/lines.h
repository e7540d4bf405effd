#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>

/*
 * Output for plain mode: one fact or event per line, in whole words. The text is the same for every
 * terminal; lines_write adapts it to a terminal.
 */
#define LINES_LINE_MAX 2048 /* maximum length of a line in bytes; a longer line is truncated */
#define LINES_INDENT 2

struct lines {
    struct bytes text; /* UTF-8, each line ended by '\n'; no other control character */
    bool is_cut;       /* some lines were lost because there was no room */
};

/* Starts with no lines; lines_clear frees the text. max_bytes limits the length of all lines
 * together. */
void lines_init(struct lines *lines, size_t max_bytes);
void lines_clear(struct lines *lines);

/* Adds a line and removes style marks (draw.h) from it. */
void lines_put(struct lines *lines, const char *text);
void lines_format(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How lines are written to a terminal. */
struct lines_look {
    int width;     /* number of columns at which lines are wrapped at blanks; 0: never wrapped. The
                      rows after the first are indented by LINES_INDENT columns, so that no text of
                      a person looks like a line of the house */
    bool is_ascii; /* texts that people wrote are converted to ASCII too; symbols in the house's own
                      texts are always converted */
    const char *end; /* the end of each line, such as "\r\n" */
};

/* Appends all lines to `out`, in the form that `look` describes. False if some did not fit. */
bool lines_write(const struct lines *lines, const struct lines_look *look,
                 struct bytes *out) MUST_CHECK;
