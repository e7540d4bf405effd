#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>

/*
 * What is told line by line, where nothing is drawn: one fact or event a line, in whole words. A
 * telling knows neither a terminal nor its width: lines_write makes it fit one.
 */
#define LINES_LINE_MAX 2048 /* bytes of a line; a longer one is cut */

struct lines {
    struct bytes text; /* UTF-8, each line ended by '\n'; no other control character */
    bool is_cut;       /* there was no room for all */
};

/* Empty, in place; lines_clear frees what was told. `max` bytes in all. */
void lines_init(struct lines *lines, size_t max);
void lines_clear(struct lines *lines);

/* Adds a line. Style marks (draw.h) are left out. */
void lines_put(struct lines *lines, const char *text);
void lines_format(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How lines leave for a terminal. */
struct lines_look {
    int width;       /* columns, broken at blanks; 0: never broken */
    bool is_ascii;   /* what people write too is put into ASCII; our own signs always are */
    const char *end; /* of a line: "\r\n" */
};

/* Appends all lines as they are to be shown. False when `out` has no room for some of them. */
bool lines_write(const struct lines *lines, const struct lines_look *look,
                 struct bytes *out) MUST_CHECK;
