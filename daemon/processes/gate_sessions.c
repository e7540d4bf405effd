#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/processes/gate_renew.h"
#include "daemon/processes/gate_state.h"
#include "daemon/session/session.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static void unwatch(const struct gate *gate, const struct sessions_entry *entry)
{
    if (entry->signed_in_fd >= 0) {
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, entry->signed_in_fd, NULL);
    }
}

void gate_hear_session(struct gate *gate, struct sessions_entry *entry)
{
    char byte;
    if (entry->pid == 0 || entry->signed_in_fd < 0) {
        return; /* gone in this same turn */
    }
    ssize_t got = read(entry->signed_in_fd, &byte, 1);
    if (got == 1) {
        unwatch(gate, entry);
        sessions_sign_in(&gate->sessions, entry);
    } else if (got == 0) {
        unwatch(gate, entry); /* it ended without; its SIGCHLD follows */
    }
}

static enum limits_offence offence_of(int status)
{
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
    case SESSION_ENDED:
    case SESSION_FAILED:
        break;
    }
    return LIMITS_NO_OFFENCE;
}

void gate_reap(struct gate *gate)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct sessions_entry *entry = sessions_by_pid(&gate->sessions, pid);
        if (entry == NULL) {
            continue;
        }
        if (WIFSIGNALED(status)) {
            log_event(LOG_LEVEL_WARN, entry->conn, "its session died of signal %d%s",
                      WTERMSIG(status), WTERMSIG(status) == SIGPROF ? " (the watchdog's)" : "");
            gate_renew_ask(gate);
        }
        limits_offend(gate->rate, &gate->limits, &entry->source, offence_of(status),
                      clock_steady_ms());
        unwatch(gate, entry);
        sessions_remove(&gate->sessions, entry);
    }
}

bool gate_watch_sessions(const struct gate *gate)
{
    for (size_t i = 0; i < gate->sessions.max; i++) {
        const struct sessions_entry *entry = &gate->sessions.entries[i];
        if (entry->pid != 0 && entry->signed_in_fd >= 0 &&
            !gate_watch(gate, entry->signed_in_fd, EPOLLIN, WATCH_SESSION + (uint64_t)i,
                        EPOLL_CTL_ADD)) {
            return false;
        }
    }
    return true;
}
