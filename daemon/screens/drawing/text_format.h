#pragma once

#include "games/text.h"

/* Appends as printf does; a text without room is cut. */
void text_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, as one more item of a list: behind ", " when something stands there already. */
void text_format_item(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
