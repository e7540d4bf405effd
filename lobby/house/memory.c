#include "lobby/house/memory.h"

#include <stdlib.h>

void *memory_require(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *memory_new(size_t size)
{
    return memory_require(calloc(1, size));
}

void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size)
{
    if (count < *cap) {
        return items;
    }
    *cap = *cap == 0 ? 16 : 2 * *cap;
    return memory_require(reallocarray(items, *cap, item_size));
}
