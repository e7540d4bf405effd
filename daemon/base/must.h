#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Allocates memory, or ends the process at once if there is none: the supervisor then starts
 * another process, and no request is half done.
 */

/* Returns the memory that a library allocated; aborts if it is NULL. */
void *must_not_be_null(void *allocated);

/* Returns zeroed memory; release it with free(). */
void *must_allocate(size_t size);

/* Returns a copy of the text, for free(); NULL if the text is NULL. */
char *must_copy_text(const char *text);

/* Returns the message as JSON on one line, for free(). Takes over the caller's reference to the
 * message. */
char *must_format_json(json_t *message);
