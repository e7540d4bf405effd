#include "daemon/base/base.h"

#include "tests/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 256 << 10
};

/* Returns how much of this process's stack is in memory, in KiB. */
static long read_stack_kib(void)
{
    char line[256];
    bool is_stack = false;
    long kib = 0;
    FILE *file = fopen("/proc/self/smaps", "re");
    assert_non_null(file);
    while (kib == 0 && fgets(line, sizeof(line), file) != NULL) {
        is_stack = is_stack || strstr(line, "[stack]") != NULL;
        if (is_stack && strncmp(line, "Rss:", strlen("Rss:")) == 0) {
            kib = strtol(line + strlen("Rss:"), NULL, 10);
        }
    }
    fclose(file);
    return kib;
}

static __attribute__((noinline)) int use_stack(int seed)
{
    volatile char bytes[DEPTH];
    for (size_t i = 0; i < sizeof(bytes); i += 1024) {
        bytes[i] = (char)seed;
    }
    return bytes[0] + bytes[DEPTH - 1024];
}

static void the_stack_of_a_deep_call_is_given_back(void **state)
{
    (void)state;
    if (IS_SANITIZED) {
        skip();
    }
    volatile char kept[8192];
    memset((char *)(uintptr_t)kept, 7, sizeof(kept));
    assert_int_equal(use_stack(3), 6);
    long before = read_stack_kib();
    spare_stack_release();
    long after = read_stack_kib();
    assert_true(before >= DEPTH / 1024);
    assert_true(after <= before - (DEPTH / 1024 - 64));
    for (size_t i = 0; i < sizeof(kept); i++) {
        assert_int_equal(kept[i], 7); /* what is in use stays */
    }
    assert_int_equal(use_stack(4), 8);
}

TEST_GROUP(spare_stack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stack_of_a_deep_call_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
