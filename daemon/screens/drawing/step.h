#pragma once

#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/*
 * Going through a text for people (draw.h) character by character: columns, changes of style,
 * ASCII stand-ins. For whatever shows texts, drawn or not.
 */
struct step {
    size_t len; /* bytes; 0 at the end */
    wchar_t character;
    int columns;
    bool is_mark;
    enum style style; /* of a mark; STYLE_COUNT: back to the first one */
};

/* The step at the beginning of the text. */
struct step step_at(const char *text);

/* The ASCII character that stands for one of our signs; 0 for other characters. */
wchar_t step_stand_in(wchar_t character);

/* The ASCII character that stands for any other. */
wchar_t step_ascii(wchar_t character);

/* Bytes of the text that fit in width columns, broken at a space where there is one; *skip is what
 * to leave out before the next row. */
size_t step_fit(const char *text, int width, size_t *skip);
