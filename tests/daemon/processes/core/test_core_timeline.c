#include "daemon/processes/core/core.h"

#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_numbers(const char *path, int64_t timeline, int64_t steps)
{
    const struct cluster_seen kept = core_timeline_read(path);
    assert_int_equal(kept.timeline, timeline);
    assert_int_equal(kept.steps, steps);
}

static void the_highest_timeline_outlives_the_core(void **state)
{
    char folder[FOLDER_PATH_MAX], database[FOLDER_PATH_MAX];
    (void)state;
    assert_int_equal(folder_make(folder), 0);
    folder_write_path(database, folder, "house.db");
    char *path = core_timeline_make_path(database);
    expect_numbers(path, 0, 0);
    core_timeline_write(path, (struct cluster_seen){9, 99});
    expect_numbers(path, 9, 99);
    core_timeline_write(path, (struct cluster_seen){10, 1795000000000});
    expect_numbers(path, 10, 1795000000000);
    free(path);
    assert_int_equal(folder_remove(folder), 0);
}

TEST_GROUP(core_timeline)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_timeline_outlives_the_core),
    };
    return cmocka_run_group_tests_name("the timeline of the database", tests, NULL, NULL);
}
