#pragma once

#include "games/text.h"

#include <stddef.h>

/* Appends as printf does; a text without room is cut. */
void text_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, as one more item of a list: behind ", " when something stands there already. */
void text_format_item(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a list of names or numbers as people write it: "ada, bob and eve". */
void text_put_list(struct text *out, const char *const *items, size_t count);
