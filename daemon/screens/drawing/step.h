#pragma once

#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/*
 * Walks through a text (draw.h) character by character: columns, changes of style, ASCII
 * replacements.
 */
struct step {
    size_t len; /* bytes; 0 at the end */
    wchar_t character;
    int columns;
    bool is_mark;
    enum style style; /* the style of a mark; STYLE_COUNT: back to the first style */
};

/* The step at the beginning of the text. */
struct step step_read(const char *text);

/* The ASCII replacement of one of our symbols; 0 for other characters. */
wchar_t step_symbol_to_ascii(wchar_t character);

/* The ASCII replacement of any other character. */
wchar_t step_character_to_ascii(wchar_t character);

/* The bytes of the text that fit in width columns, broken at a space if there is one; *skip is the
 * number of bytes to leave out before the next row. */
size_t step_count_fitting_bytes(const char *text, int width, size_t *skip);
