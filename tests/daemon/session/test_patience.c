#include "daemon/session/session.h"
#include "daemon/session/session_state.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET_MS 30000

static void a_silent_client_is_disconnected_after_three_missed_keepalives(void **state)
{
    (void)state;
    struct keepalive keepalive = {.quiet_ms = QUIET_MS, .questions_max = 3, .due_ms = QUIET_MS};
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, QUIET_MS - 1), KEEPALIVE_ALIVE);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, QUIET_MS), KEEPALIVE_ASK);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, QUIET_MS + 1), KEEPALIVE_ALIVE);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, 2 * QUIET_MS), KEEPALIVE_ASK);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, 3 * QUIET_MS), KEEPALIVE_ASK);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, 4 * QUIET_MS - 1), KEEPALIVE_ALIVE);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, 4 * QUIET_MS), KEEPALIVE_DEAD);
}

static void any_byte_from_the_client_restarts_the_keepalive_interval(void **state)
{
    (void)state;
    struct keepalive keepalive = {.quiet_ms = QUIET_MS, .questions_max = 3, .due_ms = QUIET_MS};
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, QUIET_MS), KEEPALIVE_ASK);
    assert_int_equal(keepalive_judge_connection(&keepalive, 0, 2 * QUIET_MS), KEEPALIVE_ASK);
    assert_int_equal(keepalive_judge_connection(&keepalive, 1, 2 * QUIET_MS + 10), KEEPALIVE_ALIVE);
    assert_int_equal(keepalive_judge_connection(&keepalive, 1, 3 * QUIET_MS + 9), KEEPALIVE_ALIVE);
    assert_int_equal(keepalive_judge_connection(&keepalive, 1, 3 * QUIET_MS + 10), KEEPALIVE_ASK);
}

static void using_a_fifth_of_a_cpu_for_half_a_minute_is_too_much(void **state)
{
    (void)state;
    struct watchdog watchdog = {
        .window_ms = 30000, .share_percent = 20, .since_ms = 1000, .cpu_since_ms = 500};
    /* exactly the allowed 20 % of a CPU */
    assert_false(watchdog_is_limit_exceeded(&watchdog, 31000, 6500));
    assert_false(watchdog_is_limit_exceeded(&watchdog, 61000, 12500));
    assert_true(watchdog_is_limit_exceeded(&watchdog, 91000, 18501));
}

static void the_cpu_time_of_a_time_window_may_be_used_at_once_but_no_more(void **state)
{
    (void)state;
    struct watchdog watchdog = {
        .window_ms = 30000, .share_percent = 20, .since_ms = 1000, .cpu_since_ms = 500};
    assert_false(watchdog_is_limit_exceeded(&watchdog, 7000, 6500));
    assert_true(watchdog_is_limit_exceeded(&watchdog, 7001, 6501));
}

static void half_of_a_cpu_is_allowed_while_somebody_types(void **state)
{
    (void)state;
    struct watchdog watchdog = {
        .window_ms = 30000, .share_percent = 20, .since_ms = 0, .cpu_since_ms = 0};
    watchdog.has_typed = true;
    assert_false(watchdog_is_limit_exceeded(&watchdog, 30000, 15000));
    assert_true(watchdog_is_limit_exceeded(&watchdog, 60000,
                                           22500)); /* nobody has typed since the last check */
    watchdog.has_typed = true;
    assert_true(watchdog_is_limit_exceeded(&watchdog, 90000, 37501));
}

static void typing_never_lowers_a_cpu_limit_above_one_half(void **state)
{
    (void)state;
    struct watchdog watchdog = {
        .window_ms = 30000, .share_percent = 80, .since_ms = 0, .cpu_since_ms = 0};
    watchdog.has_typed = true;
    assert_false(watchdog_is_limit_exceeded(&watchdog, 30000, 24000));
}

static void the_watchdog_ends_a_session_that_loops_for_ever(void **state)
{
    (void)state;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        watchdog_arm();
        for (;;) {
        }
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGPROF);
}

TEST_GROUP(patience)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silent_client_is_disconnected_after_three_missed_keepalives),
        cmocka_unit_test(any_byte_from_the_client_restarts_the_keepalive_interval),
        cmocka_unit_test(using_a_fifth_of_a_cpu_for_half_a_minute_is_too_much),
        cmocka_unit_test(the_cpu_time_of_a_time_window_may_be_used_at_once_but_no_more),
        cmocka_unit_test(half_of_a_cpu_is_allowed_while_somebody_types),
        cmocka_unit_test(typing_never_lowers_a_cpu_limit_above_one_half),
        cmocka_unit_test(the_watchdog_ends_a_session_that_loops_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
