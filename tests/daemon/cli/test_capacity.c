#include "daemon/cli/cli.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* A limit of a machine that has no other, and what is said about 1,000 sessions there. */
static const struct capacity_case {
    struct capacity_limits limits;
    const char *sentence; /* its beginning; "": nothing is said */
} cases[] = {
    {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}, ""},
    {{4448, UINT64_MAX, UINT64_MAX, UINT64_MAX}, ""},
    {{4447, UINT64_MAX, UINT64_MAX, UINT64_MAX},
     "1000 sessions need 4448 open files in a process, but 4447 are allowed: raise LimitNOFILE="},
    {{UINT64_MAX, 1064, 1064, 1576}, ""},
    {{UINT64_MAX, 1063, UINT64_MAX, UINT64_MAX},
     "1000 sessions need 1064 processes of the house's user, but 1063 are allowed: raise "
     "LimitNPROC="},
    {{UINT64_MAX, UINT64_MAX, 500, UINT64_MAX},
     "1000 sessions need 1064 processes in the house's control group, but 500 are allowed: raise "
     "TasksMax="},
    {{UINT64_MAX, UINT64_MAX, UINT64_MAX, 1000},
     "1000 sessions need 1576 process ids on the machine, but 1000 are allowed: raise the sysctl "
     "kernel.pid_max"},
};

static void each_limit_that_is_too_low_is_reported_with_the_value_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        static const char start[] = "trickhouse serve: ";
        char said[1000] = "";
        FILE *out = fmemopen(said, sizeof said, "w");
        assert_non_null(out);
        capacity_print_shortages(&cases[i].limits, 1000, out);
        (void)fclose(out);
        assert_int_equal(said[0] == '\0', cases[i].sentence[0] == '\0');
        if (said[0] != '\0') {
            assert_memory_equal(said, start, strlen(start));
            assert_memory_equal(said + strlen(start), cases[i].sentence, strlen(cases[i].sentence));
            assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
        }
    }
}

static void the_limits_of_this_machine_are_read(void **state)
{
    (void)state;
    const struct capacity_limits limits = capacity_read_limits();
    assert_in_range(limits.process_ids, 300, 1 << 22);
    assert_true(limits.descriptors > 0);
    assert_true(limits.user_processes > 0);
    assert_true(limits.unit_processes > 0);
}

TEST_GROUP(capacity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_that_is_too_low_is_reported_with_the_value_needed),
        cmocka_unit_test(the_limits_of_this_machine_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
