#include "daemon/base/base.h"

#ifdef __GLIBC__

#include <malloc.h>
#include <unistd.h>

void heap_release_free_memory(void)
{
    malloc_trim(0);
}

uintptr_t heap_find_end(void)
{
    return (uintptr_t)sbrk(0) - mallinfo2().keepcost;
}

#else

void heap_release_free_memory(void)
{
}

uintptr_t heap_find_end(void)
{
    return 0;
}

#endif
