#include "daemon/base/base.h"

#include <stdint.h>
#include <sys/mman.h>

enum {
    PAGE = 4096,
    RELEASED = 512 << 10, /* most bytes that our deepest calls use; below them nothing is mapped,
                             for the kernel leaves a gap of a mebibyte below each stack */
    KEPT = 2 * PAGE       /* for the call of madvise itself, and for signal handlers */
};

void spare_stack_release(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uintptr_t end = (here - KEPT) / PAGE * PAGE;
    if (!IS_SANITIZED) {
        /* fails with ENOMEM where the stack has never reached, but releases the rest */
        (void)madvise((void *)(end - RELEASED), RELEASED, MADV_DONTNEED);
    }
}
