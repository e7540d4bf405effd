#ifndef LOBBY_HOUSE_MEMORY_H
#define LOBBY_HOUSE_MEMORY_H

#include <stddef.h>

/*
 * Memory for the house. When there is none left the process dies at once: nothing of the turn was
 * told, and the restarted core goes on from its data.
 */

/* Zeroed; free() releases it. */
void *memory_new(size_t size);

/* Makes room for one more at index `count`: returns items, or a larger copy of it with *cap
 * raised. The old one is gone then. */
void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size);

/* Passes on what a library allocated, dying on NULL. */
void *memory_check(void *allocated);

#endif
