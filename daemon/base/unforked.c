#include "daemon/base/base.h"

#include <stdlib.h>
#include <sys/mman.h>

void *unforked_allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, size, MADV_DONTFORK) != 0) {
        abort();
    }
    return memory;
}

void unforked_free(void *memory, size_t size)
{
    if (memory != NULL) {
        munmap(memory, size);
    }
}
