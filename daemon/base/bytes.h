#ifndef DAEMON_BASE_BYTES_H
#define DAEMON_BASE_BYTES_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* A growing run of bytes with a limit; the struct is the caller's, the memory is ours. */
struct bytes {
    char *at;
    size_t len;
    size_t cap;
    size_t max; /* never grows beyond */
};

void bytes_init(struct bytes *bytes, size_t max);
void bytes_clear(struct bytes *bytes); /* frees the memory */

/* False, and nothing is added, when it would pass the limit. Dies when memory is out. */
bool bytes_add(struct bytes *bytes, const void *data, size_t len) MUST_CHECK;

/* Drops the first len bytes (len at most bytes->len). */
void bytes_drop(struct bytes *bytes, size_t len);

#endif
