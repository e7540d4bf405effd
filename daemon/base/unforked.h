#pragma once

#include <stddef.h>

/*
 * Memory that child processes do not inherit: they neither see its contents nor make its pages
 * cost a copy when the parent next writes to them.
 */

/* Returns zeroed memory, of which only the pages that are written to take memory. Aborts if memory
 * runs out. Release it with unforked_free and the same size. */
void *unforked_allocate(size_t size);

void unforked_free(void *memory, size_t size);
