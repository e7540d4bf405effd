#pragma once

#include <stddef.h>

/*
 * Memory allocation. When memory is out, the process dies at once: nothing of the turn was sent,
 * and the restarted core continues from its data.
 */

/* Returns zeroed memory; release it with free(). */
void *memory_new(size_t size);

/* Makes room for an item at index `count`. Returns items, or a larger copy with *cap raised; the
 * old array is then freed. */
void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size);

/* Returns what a library allocated, or dies on NULL. */
void *memory_require(void *allocated);
