#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "tests/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEADLINE_MS 100000

/* A gate with two sessions, each a child process of the test: one is idle, one uses all its CPU
 * time. */
struct fixture {
    struct gate gate;
    struct sessions_entry *idle, *busy;
};

static struct sessions_entry *add_session(struct gate *gate, bool is_busy, int signed_in_fd)
{
    struct sessions_entry entry = {.conn = 7,
                                   .core_end = -1,
                                   .signed_in_fd = signed_in_fd,
                                   .log_fd = -1,
                                   .process_fd = -1,
                                   .cpu.since_ms = 1};
    entry.pid = fork();
    assert_true(entry.pid >= 0);
    if (entry.pid == 0) {
        volatile bool is_spinning = is_busy;
        while (is_spinning) {
        }
        for (;;) {
            pause();
        }
    }
    return sessions_add(&gate->sessions, &entry);
}

static void begin_sessions(struct fixture *fixture, int signed_in_fd)
{
    *fixture = (struct fixture){.gate.config = config_make_default()};
    fixture->gate.config.connection_cpu_window_s = 1;
    sessions_init(&fixture->gate.sessions, 3);
    gate_cpu_measure_sessions(&fixture->gate, 0);
    fixture->idle = add_session(&fixture->gate, false, signed_in_fd);
    fixture->busy = add_session(&fixture->gate, true, signed_in_fd);
}

/* Ends both child processes. Checks that the idle session was still running. */
static void end_sessions(struct fixture *fixture)
{
    int status = 0;
    assert_false(fixture->idle->cpu.is_over_limit);
    assert_int_equal(waitpid(fixture->idle->pid, &status, WNOHANG), 0);
    kill(fixture->idle->pid, SIGKILL);
    assert_int_equal(waitpid(fixture->idle->pid, &status, 0), fixture->idle->pid);
    sessions_clear(&fixture->gate.sessions);
}

static int64_t read_cpu_time_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec used = {0};
    assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
    assert_int_equal(clock_gettime(clock, &used), 0);
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Lets the gate measure its sessions' processor time, lets the busy session use `cpu_ms` of it, and
 * lets the gate measure again. Returns whether the second measurement has killed the session. The
 * gate's own clock stands still between the measurements, because a busy machine gives each process
 * little time. */
static bool is_killed_after_using(struct fixture *fixture, int64_t cpu_ms)
{
    int status = 0;
    int64_t deadline_ms = clock_steady_ms() + DEADLINE_MS;
    gate_cpu_measure_sessions(&fixture->gate, GATE_CPU_MEASURE_MS);
    assert_int_equal(waitpid(fixture->busy->pid, &status, WNOHANG), 0);
    while (read_cpu_time_ms(fixture->busy->pid) < cpu_ms && clock_steady_ms() < deadline_ms) {
        (void)poll(NULL, 0, 10);
    }
    gate_cpu_measure_sessions(&fixture->gate, 2 * GATE_CPU_MEASURE_MS);
    return fixture->busy->cpu.is_over_limit &&
           waitpid(fixture->busy->pid, &status, 0) == fixture->busy->pid && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGKILL;
}

static void a_session_that_spins_before_sign_in_is_ended(void **state)
{
    (void)state;
    struct fixture fixture;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    begin_sessions(&fixture, ends[0]);
    assert_int_equal(fixture.gate.sessions.unauth, 2);
    assert_true(is_killed_after_using(&fixture, GATE_CPU_SIGN_IN_MS + 100));
    end_sessions(&fixture);
    close(ends[0]);
    close(ends[1]);
}

static void a_session_that_spins_after_sign_in_is_ended(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sessions(&fixture, -1);
    assert_true(is_killed_after_using(&fixture, 1000)); /* the session is allowed 750 ms */
    end_sessions(&fixture);
}

/* The gate measures so often that the session uses little time between two measurements. */
static void a_time_window_spans_several_cpu_measurements(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sessions(&fixture, -1);
    fixture.gate.config.connection_cpu_window_s =
        30;                               /* the session is allowed 22,500 ms in the window */
    fixture.busy->cpu.before_ms = -22000; /* make the gate believe that the session has already used
                                             this much processor time */
    assert_true(is_killed_after_using(&fixture, 600));
    end_sessions(&fixture);
}

TEST_GROUP(gate_cpu)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_that_spins_before_sign_in_is_ended),
        cmocka_unit_test(a_session_that_spins_after_sign_in_is_ended),
        cmocka_unit_test(a_time_window_spans_several_cpu_measurements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
