#include "daemon/processes/core/core_timeline.h"

#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static void the_highest_timeline_outlives_the_core(void **state)
{
    char folder[FOLDER_PATH_MAX], database[FOLDER_PATH_MAX];
    (void)state;
    assert_int_equal(folder_make(folder), 0);
    folder_write_path(database, folder, "house.db");
    char *path = core_timeline_make_path(database);
    assert_int_equal(core_timeline_read(path), 0);
    core_timeline_write(path, 9);
    assert_int_equal(core_timeline_read(path), 9);
    core_timeline_write(path, 10);
    assert_int_equal(core_timeline_read(path), 10);
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
