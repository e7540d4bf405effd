#pragma once

#include <stddef.h>

/*
 * Memory allocation. When memory is out, the process aborts. Nothing of this pass of the core's
 * loop has been sent then, and a restarted core continues from the stored data.
 */

/* Returns zeroed memory, to be released with free(). */
void *memory_new(size_t size);

/* Makes room for an item at index `count`. Returns `items`, or a larger copy of it with *cap
 * raised; the old array is then freed. */
void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size);

/* Returns the pointer, which comes from a library's allocation; aborts when it is NULL. */
void *memory_check_allocated(void *allocated);
