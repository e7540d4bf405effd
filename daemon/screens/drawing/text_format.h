#pragma once

#include "games/text.h"

#include <stddef.h>

/* Appends formatted text as printf does. A text that does not fit is cut. */
void text_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends formatted text as one more item of a list: after ", " unless the text is empty. */
void text_format_list_item(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a list of names or numbers as people write it: "ada, bob and eve". */
void text_put_list(struct text *out, const char *const *items, size_t count);
