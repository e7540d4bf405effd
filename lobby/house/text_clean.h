#ifndef LOBBY_HOUSE_TEXT_CLEAN_H
#define LOBBY_HOUSE_TEXT_CLEAN_H

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The one function text from people passes on its way in, by the rules of the security notes:
 * valid UTF-8 in NFC; control, format, surrogate, private, unassigned characters, line and
 * paragraph separators and Unicode's Default_Ignorable_Code_Points are dropped; at most two
 * combining marks, or other characters without a column, follow a base; at most 400 bytes and 200
 * columns; blanks at both ends go. Cleaning what is clean changes nothing.
 */

#define TEXT_CLEAN_BYTES_MAX 400
#define TEXT_CLEAN_COLUMNS_MAX 200

enum text_clean_result {
    TEXT_CLEAN_OK = 0,
    TEXT_CLEAN_EMPTY,    /* nothing visible is left */
    TEXT_CLEAN_TOO_LONG, /* nothing is cut in silence */
    TEXT_CLEAN_BAD,      /* no UTF-8 */
};

/* Writes the clean text, NUL-ended, to out. */
enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1]) MUST_CHECK;

/* Copies a text that was cut at some byte, also in the middle of a character, to `size` bytes:
 * characters that are not whole, or have no room, are left out. */
void text_clean_whole(const char *cut, char *whole, size_t size);

/* A string of a text that was cut at some byte, also in the middle: characters that are not whole
 * are left out, as JSON takes whole ones only. The caller owns it. */
json_t *text_clean_json(const char *cut);

/* Columns of a clean text. */
size_t text_clean_columns(const char *clean);

#endif
