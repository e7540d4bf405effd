#include "tests/lobby/predictable_keys.h"

#include <sodium.h>
#include <string.h>

static const char *name_no_random(void)
{
    return "the same bytes at each call";
}

static uint32_t draw_no_random(void)
{
    return 0;
}

static void fill_no_random(void *const bytes, const size_t len)
{
    memset(bytes, 0x5A, len);
}

void predictable_keys_use(void)
{
    static randombytes_implementation predictable = {
        .implementation_name = name_no_random, .random = draw_no_random, .buf = fill_no_random};
    (void)randombytes_set_implementation(&predictable);
}
