#include "storage/sql/postgres.h"
#include "tests/cluster/evening_rig.h"
#include "tests/cluster/postgres_rig.h"
#include "tests/lobby/evening.h"
#include "tests/unit.h"

#include <stdlib.h>

/*
 * How often a house waits for PostgreSQL. Each wait is a round trip, during which nobody is served,
 * and after a takeover all people return at once.
 */

#define LOAD_WAITS_MAX 75   /* to load the evening's house */
#define PERSON_WAITS_MAX 10 /* until a person is back and has read what they missed */

static uint64_t count_waits(const struct driver *driver)
{
    return driver->storage->round_trips;
}

static void neither_load_nor_return_waits_for_each_read(void **state)
{
    struct driver *driver = *state;
    const int64_t people[] = {BOB, EVE, ADA, UMA};
    const size_t count = sizeof people / sizeof *people;
    driver_use_database(driver, evening_rig_url());
    evening_restore_house(driver);
    driver_restart_core(driver);
    uint64_t loaded = count_waits(driver);
    assert_in_range(loaded, 1, LOAD_WAITS_MAX);
    driver_reconnect_conns(driver, people, count);
    assert_in_range(count_waits(driver) - loaded, 1, count * PERSON_WAITS_MAX);
}

TEST_GROUP(round_trips)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_load_nor_return_waits_for_each_read),
    };
    if (!postgres_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    return cmocka_run_group_tests(tests, evening_rig_setup, evening_rig_teardown);
}
