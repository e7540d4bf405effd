#pragma once

#include <jansson.h>
#include <stddef.h>

/* Copies a JSON string into an array of `cap` bytes. Removes characters that move the cursor, are
 * invisible or reverse the text, and truncates the text between characters. A value that is not a
 * string becomes "". */
void drawable_copy_text(const json_t *value, char *out, size_t cap);
