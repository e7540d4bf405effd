#include "daemon/processes/gate/gate_sessions.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/processes/gate/gate_log.h"
#include "daemon/processes/gate/gate_renew.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/processes/gate/gate_watch.h"
#include "daemon/session/session.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop_watching_sign_in(const struct gate *gate, const struct sessions_entry *session)
{
    if (session->signed_in_fd >= 0) {
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, session->signed_in_fd, NULL);
    }
}

void gate_read_sign_in(struct gate *gate, struct sessions_entry *session)
{
    char byte;
    if (session->pid == 0 || session->signed_in_fd < 0) {
        return; /* the session ended earlier in this pass of the loop */
    }
    ssize_t got = read(session->signed_in_fd, &byte, 1);
    if (got == 1) {
        stop_watching_sign_in(gate, session);
        sessions_mark_signed_in(&gate->sessions, session);
    } else if (got == 0) {
        /* the session exited and nobody had signed in; SIGCHLD follows */
        stop_watching_sign_in(gate, session);
    }
}

int64_t gate_kill_overdue_sessions(struct gate *gate, int64_t now_ms)
{
    int64_t next_ms = -1;
    if (!gate->core.has_endings) {
        return -1;
    }
    for (size_t i = 0; i < gate->sessions.max; i++) {
        const struct sessions_entry *session = &gate->sessions.entries[i];
        if (session->pid == 0 || session->end_by_ms == 0) {
            continue;
        }
        int64_t left_ms = session->end_by_ms - now_ms;
        if (left_ms <= 0) {
            kill(session->pid, SIGKILL); /* kill again after another GATE_CORE_END_MS, until the
                                            process is reaped */
            left_ms = GATE_CORE_END_MS;
        }
        next_ms = next_ms < 0 || left_ms < next_ms ? left_ms : next_ms;
    }
    gate->core.has_endings = next_ms >= 0;
    return next_ms;
}

/* True if the gate killed the process because the house had ended the session. Such a death is no
 * crash. */
static bool was_killed_by_gate(const struct sessions_entry *session, int status)
{
    return session->end_by_ms != 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static enum limits_offence find_client_offence(const struct sessions_entry *session, int status)
{
    if (was_killed_by_gate(session, status)) {
        return LIMITS_NO_OFFENCE;
    }
    if (WIFSIGNALED(status)) {
        return LIMITS_CRASH;
    }
    switch ((enum session_exit)WEXITSTATUS(status)) {
    case SESSION_NO_AUTH:
        return LIMITS_NO_AUTH;
    case SESSION_AUTH_FAILED:
        return LIMITS_AUTH_FAILED;
    case SESSION_GRACE:
        return LIMITS_GRACE;
    case SESSION_GREEDY:
        return LIMITS_CRASH;
    case SESSION_ENDED:
    case SESSION_FAILED:
    case SESSION_SILENT:
    case SESSION_STALLED:
        break;
    }
    return LIMITS_NO_OFFENCE;
}

static const char *find_end_reason(const struct sessions_entry *session, int status)
{
    static const char *const reasons[] = {
        [SESSION_ENDED] = "left",
        [SESSION_FAILED] = "house-failed",
        [SESSION_NO_AUTH] = "no-sign-in",
        [SESSION_AUTH_FAILED] = "sign-in-failed",
        [SESSION_GRACE] = "sign-in-too-slow",
        [SESSION_SILENT] = "silent",
        [SESSION_STALLED] = "stalled",
        [SESSION_GREEDY] = "greedy",
    };
    if (was_killed_by_gate(session, status)) {
        return "ended";
    }
    if (WIFSIGNALED(status)) {
        return session->cpu.is_over_limit || WTERMSIG(status) == SIGPROF ? "watchdog" : "signal";
    }
    size_t exit_status = (size_t)WEXITSTATUS(status);
    return exit_status < ARRAY_LEN(reasons) ? reasons[exit_status] : "unknown";
}

static void log_session_end(const struct sessions_entry *session, int status)
{
    bool is_signal = WIFSIGNALED(status) && !was_killed_by_gate(session, status);
    log_pairs(is_signal ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, session->conn, "end",
              LOG_PAIRS("reason", find_end_reason(session, status), "seconds",
                        LOG_NUMBER((clock_steady_ms() - session->opened_ms) / 1000), "address",
                        session->address, is_signal ? "signal" : NULL,
                        LOG_NUMBER(WTERMSIG(status))));
}

static void add_penalty_to_source(struct gate *gate, const struct sessions_entry *session,
                                  enum limits_offence offence)
{
    int64_t penalty_ms =
        limits_add_penalty(gate->rate, &gate->config, &session->source, offence, clock_steady_ms());
    if (penalty_ms > 0) {
        bool is_blocked = penalty_ms >= 1000 * (int64_t)gate->config.door_penalty_from_s;
        log_pairs(is_blocked ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, session->conn, "penalty",
                  LOG_PAIRS("address", session->address, "seconds",
                            LOG_NUMBER((penalty_ms + 999) / 1000), "barred",
                            is_blocked ? "yes" : "no"));
    }
}

void gate_reap_sessions(struct gate *gate)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct sessions_entry *session = sessions_find_by_pid(&gate->sessions, pid);
        if (session == NULL) {
            continue;
        }
        gate_log_relay_last_lines(gate, session);
        log_session_end(session, status);
        if (WIFSIGNALED(status) && !was_killed_by_gate(session, status)) {
            gate_renew_request(gate);
        }
        add_penalty_to_source(gate, session, find_client_offence(session, status));
        stop_watching_sign_in(gate, session);
        sessions_remove(&gate->sessions, session);
    }
}

bool gate_watch_sessions(const struct gate *gate)
{
    for (size_t i = 0; i < gate->sessions.max; i++) {
        const struct sessions_entry *session = &gate->sessions.entries[i];
        if (session->pid != 0 && session->signed_in_fd >= 0 &&
            !gate_watch_descriptor(gate, session->signed_in_fd, EPOLLIN,
                                   gate_watch_event_id_of_session(i, false), EPOLL_CTL_ADD)) {
            return false;
        }
        if (session->pid != 0 && !gate_log_watch(gate, session)) {
            return false;
        }
    }
    return true;
}
