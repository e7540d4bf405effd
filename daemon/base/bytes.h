#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* A growing byte buffer with a size limit. The caller holds the struct; the buffer owns its
 * memory. */
struct bytes {
    char *at;
    size_t len;
    size_t cap;
    size_t max; /* greatest value of `len` */
};

void bytes_init(struct bytes *bytes, size_t max_len);
void bytes_clear(struct bytes *bytes); /* Frees the buffer's memory. */

/* Adds the data at the end of the buffer. Returns false, and adds nothing, if the buffer would
 * exceed its limit. Aborts if memory runs out. */
bool bytes_add(struct bytes *bytes, const void *data, size_t len) MUST_CHECK;

/* Drops the first len bytes of the buffer. It must contain at least len bytes. */
void bytes_drop_first(struct bytes *bytes, size_t len);
