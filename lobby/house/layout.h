#pragma once

#include <stddef.h>

/* Divides one piece of memory into blocks, one for each of several owners, such as the parts of the
 * house. */
#define LAYOUT_OWNERS_MAX 64

struct layout {
    size_t size;                  /* total size of all blocks in bytes */
    size_t at[LAYOUT_OWNERS_MAX]; /* offset of each owner's block */
};

/* Adds a block of `size` bytes for the owner with this index, which is below LAYOUT_OWNERS_MAX. The
 * block is aligned for an int64_t or a pointer. */
void layout_add_block(struct layout *layout, size_t owner_index, size_t size);
