#pragma once

#include <jansson.h>
#include <stddef.h>

/* Copies a JSON string into an array of `cap` bytes. Characters that move the cursor, are invisible
 * or turn text around are dropped, and the text is cut between two characters to fit. What is no
 * string becomes "". */
void drawable_text(const json_t *value, char *out, size_t cap);
