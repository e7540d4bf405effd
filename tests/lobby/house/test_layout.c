#include "games/macros.h"
#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <stdbool.h>

/* Tests how one block of memory is divided among several owners. */

static void the_owners_blocks_fill_the_memory_without_overlap(void **state)
{
    static const size_t sizes[] = {1, 0, 24, 13, 8};
    struct layout layout = {0};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        layout_add_block(&layout, i, sizes[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        size_t end = i + 1 < ARRAY_LEN(sizes) ? layout.at[i + 1] : layout.size;
        assert_int_equal(layout.at[i] % sizeof(int64_t), 0);
        assert_true(layout.at[i] + sizes[i] <= end);
        assert_true(end - layout.at[i] <
                    sizes[i] + sizeof(int64_t)); /* only padding for alignment is unused */
    }
}

static void an_owner_that_needs_no_bytes_takes_no_memory(void **state)
{
    struct layout layout = {0};
    (void)state;
    layout_add_block(&layout, 3, 0);
    assert_int_equal(layout.size, 0);
}

TEST_GROUP(layout)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owners_blocks_fill_the_memory_without_overlap),
        cmocka_unit_test(an_owner_that_needs_no_bytes_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
