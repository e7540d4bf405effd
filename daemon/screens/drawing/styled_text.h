#pragma once

#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/*
 * Reads a text with style marks (draw.h) character by character, and finds replacements for
 * characters outside ASCII.
 */
struct styled_char {
    size_t len; /* bytes of this character; 0 at the end of the text */
    wchar_t character;
    int columns;
    bool is_mark;
    enum style style; /* the style that a mark begins; STYLE_COUNT: the mark ends all styles */
};

/* Reads the first character or style mark of a text. */
struct styled_char styled_text_read_char(const char *text);

/* Returns the ASCII replacement of a symbol that the house's own texts contain; 0 for other
 * characters. */
wchar_t styled_text_symbol_to_ascii(wchar_t character);

/* The ASCII replacement of any character: its base letter, or '?'. */
wchar_t styled_text_character_to_ascii(wchar_t character);

/* Counts the bytes of a text that fit into a row of `width` columns, which ends at a space if there
 * is one. *skip becomes the number of bytes to leave out before the next row. */
size_t styled_text_count_fitting_bytes(const char *text, int width, size_t *skip);
