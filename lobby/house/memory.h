#pragma once

#include <stddef.h>

/*
 * Memory allocation. When memory is out, the process aborts: nothing of this pass of the core's
 * loop was sent, and a restarted core continues from the data.
 */

/* Returns zeroed memory, to be released with free(). */
void *memory_new(size_t size);

/* Makes room for an item at index `count`. Returns `items`, or a larger copy of it with *cap
 * raised; the old array is then freed. */
void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size);

/* Returns the memory that a library has allocated; aborts on NULL. */
void *memory_require(void *allocated);
