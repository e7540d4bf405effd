#include "games/macros.h"
#include "lobby/house/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* How one block of memory is divided among several owners. */

static void blocks_of_owners_do_not_overlap_and_fill_the_whole(void **state)
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
        assert_true(end - layout.at[i] < sizes[i] + sizeof(int64_t)); /* no byte is unused */
    }
}

static void an_owner_that_keeps_nothing_costs_nothing(void **state)
{
    struct layout layout = {0};
    (void)state;
    layout_add_block(&layout, 3, 0);
    assert_int_equal(layout.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_owners_do_not_overlap_and_fill_the_whole),
        cmocka_unit_test(an_owner_that_keeps_nothing_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
