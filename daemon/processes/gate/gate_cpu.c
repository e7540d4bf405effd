#include "daemon/processes/gate/gate.h"

#include "daemon/processes/gate/gate_state.h"
#include "daemon/session/session.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* Returns the processor time that a process has used; 0 if the process is gone. */
static int64_t read_cpu_time_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Returns how much processor time a session may use within a window of time: 1.5 times what the
 * session's own watchdog allows, because the watchdog's windows begin at other times. */
static int64_t compute_cpu_limit_per_window_ms(const struct gate *gate)
{
    int64_t percent = gate->config.connection_cpu_percent;
    if (percent < WATCHDOG_TYPED_PERCENT) {
        percent = WATCHDOG_TYPED_PERCENT;
    }
    return (int64_t)gate->config.connection_cpu_window_s * 10 * percent * 3 / 2;
}

static bool has_exceeded_cpu_limit(const struct gate *gate, struct sessions_entry *session,
                                   int64_t now_ms)
{
    int64_t now_used_ms = read_cpu_time_ms(session->pid);
    if (session->signed_in_fd >= 0) {
        return now_used_ms > GATE_CPU_SIGN_IN_MS;
    }
    bool is_over = session->cpu.since_ms != 0 &&
                   now_used_ms - session->cpu.before_ms > compute_cpu_limit_per_window_ms(gate);
    if (session->cpu.since_ms == 0 ||
        now_ms - session->cpu.since_ms >= (int64_t)gate->config.connection_cpu_window_s * 1000) {
        session->cpu.since_ms = now_ms;
        session->cpu.before_ms = now_used_ms;
    }
    return is_over;
}

static void measure_session(const struct gate *gate, struct sessions_entry *session, int64_t now_ms)
{
    if (has_exceeded_cpu_limit(gate, session, now_ms)) {
        session->cpu.is_over_limit = true;
        kill(session->pid, SIGKILL);
    }
}

/* Returns true, and remembers the time, if `every_ms` has passed since the last measurement. */
static bool is_measurement_due(int64_t *measured_ms, int64_t every_ms, int64_t now_ms)
{
    bool is_due = now_ms - *measured_ms >= every_ms;
    *measured_ms = is_due ? now_ms : *measured_ms;
    return is_due;
}

static void measure_all_sessions(struct gate *gate, int64_t now_ms)
{
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        measure_session(gate, session, now_ms);
    }
}

static void measure_sessions_before_sign_in(struct gate *gate, int64_t now_ms)
{
    struct sessions_entry *session = NULL;
    LIST_FOREACH(session, &gate->sessions.unauth_list, of_unauth)
    {
        measure_session(gate, session, now_ms);
    }
}

int64_t gate_cpu_measure_sessions(struct gate *gate, int64_t now_ms)
{
    if (gate->sessions.count == 0) {
        return -1;
    }
    if (is_measurement_due(&gate->cpu_measured_ms, GATE_CPU_MEASURE_MS, now_ms)) {
        gate->cpu_sign_in_measured_ms = now_ms;
        measure_all_sessions(gate, now_ms);
    }
    int64_t wait_ms = gate->cpu_measured_ms + GATE_CPU_MEASURE_MS - now_ms;
    if (gate->sessions.unauth == 0) {
        return wait_ms;
    }
    if (is_measurement_due(&gate->cpu_sign_in_measured_ms, GATE_CPU_SIGN_IN_MEASURE_MS, now_ms)) {
        measure_sessions_before_sign_in(gate, now_ms);
    }
    int64_t sign_in_wait_ms = gate->cpu_sign_in_measured_ms + GATE_CPU_SIGN_IN_MEASURE_MS - now_ms;
    return sign_in_wait_ms < wait_ms ? sign_in_wait_ms : wait_ms;
}
