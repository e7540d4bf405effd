#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The one function that all text from people passes on its way in. Its rules, from the security
 * notes: valid UTF-8 in NFC; control, format, surrogate, private-use and unassigned characters,
 * line and paragraph separators, and Unicode's Default_Ignorable_Code_Points are dropped; at most
 * two combining marks, or other characters without a column, follow a base; at most 400 bytes and
 * 200 columns; blanks at both ends are stripped. Cleaning clean text changes nothing.
 */

#define TEXT_CLEAN_BYTES_MAX 400
#define TEXT_CLEAN_COLUMNS_MAX 200

enum text_clean_result {
    TEXT_CLEAN_OK = 0,
    TEXT_CLEAN_EMPTY,    /* no visible character is left */
    TEXT_CLEAN_TOO_LONG, /* too long: refused, never cut silently */
    TEXT_CLEAN_BAD,      /* not UTF-8 */
};

/* Writes the clean text, NUL-ended, to out. */
enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1]) MUST_CHECK;

/* Copies to `size` bytes a text that was cut at some byte, possibly inside a character. Incomplete
 * characters, and those that do not fit, are left out. */
void text_clean_copy_whole(const char *cut, char *whole, size_t size);

/* Returns a JSON string of a text that was cut at some byte, possibly inside a character.
 * Incomplete characters are left out, since JSON requires valid UTF-8. The caller owns it. */
json_t *text_clean_to_json(const char *cut);

/* Columns of a clean text. */
size_t text_clean_count_columns(const char *clean);
