#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Functions that end the process at once if memory runs out. The supervisor then starts another
 * process, and no request stays half done.
 */

/* Returns `allocated`, the result of a library's allocation; aborts if it is NULL. */
void *must_not_be_null(void *allocated);

/* Returns zeroed memory; release it with free(). */
void *must_allocate(size_t size);

/* Returns a copy of the text; NULL if the text is NULL. Release the copy with free(). */
char *must_copy_text(const char *text);

/* Returns the message as JSON on one line; release that text with free(). Takes over the caller's
 * reference to the message. */
char *must_format_json(json_t *message);
