#include "daemon/base/base.h"

#include <stdlib.h>
#include <string.h>

#define CAP_FIRST 256

void bytes_init(struct bytes *bytes, size_t max_len)
{
    *bytes = (struct bytes){.max = max_len};
}

void bytes_clear(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){.max = bytes->max};
}

/* Doubles the buffer's size, so that adding byte by byte takes linear time. The size never exceeds
 * `max`. */
static void grow_buffer(struct bytes *bytes, size_t needed_len)
{
    size_t cap = bytes->cap > 0 ? bytes->cap : CAP_FIRST;
    while (cap < needed_len) {
        cap = cap > bytes->max / 2 ? bytes->max : cap * 2;
    }
    if (cap > bytes->max) {
        cap = bytes->max;
    }
    char *at = must_not_be_null(realloc(bytes->at, cap));
    bytes->at = at;
    bytes->cap = cap;
}

bool bytes_add(struct bytes *bytes, const void *data, size_t len)
{
    if (len > bytes->max - bytes->len) {
        return false;
    }
    if (len == 0) {
        return true;
    }
    if (bytes->len + len > bytes->cap) {
        grow_buffer(bytes, bytes->len + len);
    }
    memcpy(bytes->at + bytes->len, data, len);
    bytes->len += len;
    return true;
}

void bytes_drop_first(struct bytes *bytes, size_t len)
{
    if (len == 0) {
        return;
    }
    memmove(bytes->at, bytes->at + len, bytes->len - len);
    bytes->len -= len;
}
