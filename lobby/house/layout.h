#pragma once

#include <stddef.h>

/* Where several owners keep something of one object: each has a block of its own, and all blocks
 * are one piece of memory. */
#define LAYOUT_OWNERS_MAX 48

struct layout {
    size_t size;                  /* of all blocks */
    size_t at[LAYOUT_OWNERS_MAX]; /* where each owner's block begins */
};

/* Gives the owner of that number, below LAYOUT_OWNERS_MAX, a block of that many bytes, aligned for
 * what is no larger than an int64_t or a pointer. */
void layout_add_block(struct layout *layout, size_t owner, size_t size);
