#include "lobby/house/parts.h"

#include <stdlib.h>

void *memory_check_allocated(void *allocated)
{
    if (allocated == NULL) {
        abort();
    }
    return allocated;
}

void *memory_new(size_t size)
{
    return memory_check_allocated(calloc(1, size));
}

void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size)
{
    if (count < *cap) {
        return items;
    }
    *cap = *cap == 0 ? 16 : 2 * *cap;
    return memory_check_allocated(reallocarray(items, *cap, item_size));
}
