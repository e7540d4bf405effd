#include "tests/e2e/house.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Whether /proc/PID/status has the line. */
static bool process_status_has_line(pid_t pid, const char *line_wanted)
{
    char path[64], line[256];
    bool is_there = false;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (!is_there && fgets(line, sizeof(line), file) != NULL) {
        is_there = strcmp(line, line_wanted) == 0;
    }
    fclose(file);
    return is_there;
}

static void processes_that_need_no_network_cannot_reach_the_network(void **state)
{
    const char *const names[] = {"core", "auth", "bot"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        pid_t pid = house_find_process(*state, names[i]);
        assert_true(process_status_has_line(pid, "Seccomp:\t2\n"));
        assert_true(process_status_has_line(pid, "NoNewPrivs:\t1\n"));
    }
}

TEST_GROUP(reach)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_that_need_no_network_cannot_reach_the_network),
    };
    return cmocka_run_group_tests_name("reach", tests, house_set_up, house_tear_down);
}
