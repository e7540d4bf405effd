#pragma once

#include <stdint.h>

/* The heap of glibc. With another C library, these functions have no effect: then sessions need
 * more memory, and nothing else changes. */

/* Gives free memory back to the system. */
void heap_release_free_memory(void);

/* Returns the address behind the last allocation in the heap; 0 with another C library. */
uintptr_t heap_find_end(void);
