#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>

/*
 * Output for plain mode: one fact or event per line, in whole words. The text does not depend on a
 * terminal or its width; lines_write adapts it.
 */
#define LINES_LINE_MAX 2048 /* bytes of a line; a longer one is truncated */

struct lines {
    struct bytes text; /* UTF-8, each line ended by '\n'; no other control character */
    bool is_cut;       /* there was no room for all lines */
};

/* Starts empty; lines_clear frees the text. `max` is the limit of all bytes. */
void lines_init(struct lines *lines, size_t max);
void lines_clear(struct lines *lines);

/* Adds a line, without style marks (draw.h). */
void lines_put(struct lines *lines, const char *text);
void lines_format(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How lines are written to a terminal. */
struct lines_look {
    int width;       /* columns, wrapped at blanks; 0: never wrapped */
    bool is_ascii;   /* texts of people are converted to ASCII too; our own characters always are */
    const char *end; /* the end of a line: "\r\n" */
};

/* Appends all lines in this form. False if `out` has no room for some of them. */
bool lines_write(const struct lines *lines, const struct lines_look *look,
                 struct bytes *out) MUST_CHECK;
