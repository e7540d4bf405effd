#pragma once

#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/*
 * Reads a text (draw.h) character by character: its columns, its style marks, and replacements for
 * ASCII mode.
 */
struct styled_char {
    size_t len; /* bytes of this character; 0 at the end of the text */
    wchar_t character;
    int columns;
    bool is_mark;
    enum style
        style; /* the style that a mark begins; STYLE_COUNT: the mark returns to the first style */
};

/* Reads the first character or style mark of a text. */
struct styled_char styled_text_read_char(const char *text);

/* The ASCII replacement of one of the house's own symbols; 0 for other characters. */
wchar_t styled_text_symbol_to_ascii(wchar_t character);

/* The ASCII replacement of any character: its base letter, or '?'. */
wchar_t styled_text_character_to_ascii(wchar_t character);

/* Counts the bytes of a text that fit into a row of `width` columns, which ends at a space if there
 * is one. *skip becomes the number of bytes to leave out before the next row. */
size_t styled_text_count_fitting_bytes(const char *text, int width, size_t *skip);
