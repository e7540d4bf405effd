#include "daemon/processes/gate/gate_cpu.h"

#include "daemon/processes/gate/gate_state.h"
#include "daemon/session/watchdog.h"

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

int64_t gate_cpu_measure_sessions(struct gate *gate, int64_t now_ms)
{
    if (gate->sessions.count == 0) {
        return -1;
    }
    int64_t every_ms =
        gate->sessions.unauth > 0 ? GATE_CPU_SIGN_IN_MEASURE_MS : GATE_CPU_MEASURE_MS;
    if (now_ms - gate->cpu_measured_ms < every_ms) {
        return gate->cpu_measured_ms + every_ms - now_ms;
    }
    gate->cpu_measured_ms = now_ms;
    for (size_t i = 0; i < gate->sessions.max; i++) {
        struct sessions_entry *session = &gate->sessions.entries[i];
        if (session->pid != 0 && has_exceeded_cpu_limit(gate, session, now_ms)) {
            session->cpu.is_over_limit = true;
            kill(session->pid, SIGKILL);
        }
    }
    return every_ms;
}
