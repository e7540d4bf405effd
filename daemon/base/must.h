#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Memory. When it is out, the process dies at once: another takes its place, and no request is
 * half done.
 */

/* Returns what a library allocated, or dies on NULL. */
void *must(void *allocated);

/* Returns zeroed memory; release it with free(). */
void *must_new(size_t size);

/* A copy of the text, for free(); NULL of NULL. */
char *must_copy(const char *text);

/* The message as text on one line, for free(). Takes over the reference. */
char *must_text(json_t *message);
