#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "tests/unit.h"

/* Tests what holds for the hooks of every part. */

#define NOW_MS INT64_C(1795000000000) /* a time in November 2026 */

static void no_part_of_a_new_house_asks_for_a_pass_in_the_past(void **state)
{
    (void)state;
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    const struct house_config config = house_config_default();
    assert_int_equal(storage_open(STORAGE_IN_MEMORY, &storage, why), STORAGE_OK);
    struct house *house = house_new(&config, storage, NOW_MS);
    assert_non_null(house);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        const struct part *part = house_parts[i];
        if (part->next_ms != NULL && part->next_ms(house) < NOW_MS) {
            fail_msg("the part %s wants a pass in the past", part->name);
        }
    }
    house_free(house);
    storage_close(storage);
}

TEST_GROUP(parts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_part_of_a_new_house_asks_for_a_pass_in_the_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
