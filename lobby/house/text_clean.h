#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Every text from people passes this function on its way in. Its rules, from the security notes:
 * The text is valid UTF-8 in NFC. Control, format, surrogate, private-use and unassigned
 * characters, line and paragraph separators, and Unicode's Default_Ignorable_Code_Points are
 * removed. At most two combining marks, or other characters without a column, follow a base
 * character. It has at most 400 bytes and 200 columns. Blanks of any kind, line ends and characters
 * that look like blanks are removed at both ends; between words a run of them becomes one space,
 * because with many of them a text could go on at the left margin of the next line and look like a
 * line of the house. Cleaning a clean text changes nothing.
 */

#define TEXT_CLEAN_BYTES_MAX 400
#define TEXT_CLEAN_COLUMNS_MAX 200

enum text_clean_result {
    TEXT_CLEAN_OK = 0,
    TEXT_CLEAN_EMPTY,    /* the text has no visible character */
    TEXT_CLEAN_TOO_LONG, /* the text is too long; text_clean truncates nothing */
    TEXT_CLEAN_BAD,      /* the bytes are not UTF-8 */
};

/* Writes the cleaned text to `out`, ended by NUL. */
enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1]) MUST_CHECK;

/* Copies a text that may have been cut inside a character. Leaves out incomplete characters and
 * those that do not fit into `size` bytes. */
void text_clean_copy_whole_characters(const char *text, char *out, size_t size);

/* Makes a JSON string of a text that may have been cut inside a character. Leaves out incomplete
 * characters, since JSON requires valid UTF-8. The caller owns the result. */
json_t *text_clean_to_json(const char *text);

/* Returns the width of a clean text in columns. */
size_t text_clean_count_columns(const char *clean);
