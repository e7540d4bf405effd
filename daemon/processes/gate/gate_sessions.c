#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/session/session.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXITS_PER_CALL = 64 /* ends of processes that one call of epoll_wait(2) returns */
};

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
    if (got == 1 && session->awaits_separation && byte == SEPARATION_DONE) {
        session->awaits_separation = false;
        sessions_close_child_ends(session);
    } else if (got == 1) {
        stop_watching_sign_in(gate, session);
        sessions_mark_signed_in(&gate->sessions, session);
    } else if (got == 0) {
        /* the session exited and nobody had signed in; SIGCHLD follows */
        stop_watching_sign_in(gate, session);
    }
}

int64_t gate_kill_overdue_sessions(struct gate *gate, int64_t now_ms)
{
    struct sessions_entry *session;
    while ((session = TAILQ_FIRST(&gate->sessions.ending)) != NULL &&
           session->end_by_ms <= now_ms) {
        kill(session->pid, SIGKILL);
        /* until the process is reaped, kill it again after this time */
        sessions_set_end(&gate->sessions, session, now_ms + GATE_CORE_END_MS);
    }
    return session != NULL ? session->end_by_ms - now_ms : -1;
}

/* True if the gate killed the process because the house had ended the session. Such a death is no
 * crash. */
static bool was_killed_by_gate(const struct sessions_entry *session, int status)
{
    return session->end_by_ms != 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* True if the process used too much CPU time. */
static bool was_killed_by_watchdog(const struct sessions_entry *session, int status)
{
    return session->cpu.is_over_limit || WTERMSIG(status) == SIGPROF;
}

static enum limits_offence find_client_offence(const struct sessions_entry *session, int status)
{
    if (was_killed_by_gate(session, status)) {
        return LIMITS_NO_OFFENCE;
    }
    if (WIFSIGNALED(status)) {
        return was_killed_by_watchdog(session, status) ? LIMITS_GREEDY : LIMITS_CRASH;
    }
    switch ((enum session_exit)WEXITSTATUS(status)) {
    case SESSION_NO_AUTH:
        return LIMITS_NO_AUTH;
    case SESSION_AUTH_FAILED:
        return LIMITS_AUTH_FAILED;
    case SESSION_GRACE:
        return LIMITS_GRACE;
    case SESSION_GREEDY:
        return LIMITS_GREEDY;
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
        return was_killed_by_watchdog(session, status) ? "watchdog" : "signal";
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
    bool is_blocked;
    int64_t penalty_ms = limits_add_penalty(gate->rate, &gate->config, &session->source, offence,
                                            clock_steady_ms(), &is_blocked);
    if (penalty_ms > 0) {
        log_pairs(is_blocked ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, session->conn, "penalty",
                  LOG_PAIRS("address", session->address, "seconds",
                            LOG_NUMBER((penalty_ms + 999) / 1000), "barred",
                            is_blocked ? "yes" : "no"));
    }
}

static void handle_exit(struct gate *gate, struct sessions_entry *session, int status)
{
    gate_log_relay_last_lines(gate, session);
    log_session_end(session, status);
    if (WIFSIGNALED(status) && !was_killed_by_gate(session, status)) {
        gate_renew_request(gate);
    }
    add_penalty_to_source(gate, session, find_client_offence(session, status));
    stop_watching_sign_in(gate, session);
    sessions_remove(&gate->sessions, session);
}

static void reap_session_if_exited(struct gate *gate, struct sessions_entry *session)
{
    int status;
    if (waitpid(session->pid, &status, WNOHANG) == session->pid) {
        handle_exit(gate, session, status);
    }
}

/* Asks about each session whose process has no descriptor. */
static void reap_sessions_without_process_fd(struct gate *gate)
{
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        if (session->process_fd < 0) {
            reap_session_if_exited(gate, session);
        }
    }
}

void gate_reap_sessions(struct gate *gate)
{
    struct epoll_event exits[EXITS_PER_CALL];
    int count;
    do {
        count = epoll_wait(gate->exits, exits, EXITS_PER_CALL, 0);
        for (int i = 0; i < count; i++) {
            reap_session_if_exited(gate, &gate->sessions.entries[exits[i].data.u64]);
        }
    } while (count == EXITS_PER_CALL);
    if (gate->sessions.without_process_fd > 0) {
        reap_sessions_without_process_fd(gate);
    }
}

/* Without a descriptor of the process, gate_reap_sessions asks about the session each time. */
static void watch_exit(struct gate *gate, struct sessions_entry *session)
{
    struct epoll_event event = {.events = EPOLLIN,
                                .data.u64 = (uint64_t)(session - gate->sessions.entries)};
    if (session->process_fd < 0) {
        int process_fd = fd_open_process(session->pid);
        if (process_fd < 0) {
            return;
        }
        sessions_set_process_fd(&gate->sessions, session,
                                separation_keep_from_children(process_fd));
    }
    if (epoll_ctl(gate->exits, EPOLL_CTL_ADD, session->process_fd, &event) != 0) {
        abort(); /* out of memory: a session whose end goes unnoticed would block its place */
    }
}

bool gate_watch_session(struct gate *gate, struct sessions_entry *session)
{
    size_t place = (size_t)(session - gate->sessions.entries);
    watch_exit(gate, session);
    return (session->signed_in_fd < 0 ||
            gate_watch_descriptor(gate, session->signed_in_fd, EPOLLIN,
                                  gate_watch_event_id_of_session(place, false), EPOLL_CTL_ADD)) &&
           gate_log_watch(gate, session);
}

bool gate_watch_sessions(struct gate *gate)
{
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        if (!gate_watch_session(gate, session)) {
            return false;
        }
    }
    return true;
}
