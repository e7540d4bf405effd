#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define NICE 5

/* Starts a process with a copy of this one's memory, as fork(2) does. With shares_descriptors it
 * shares the table of descriptors. Sets *process_fd (pidfd_open(2)) in the parent; -1 if the system
 * offers only fork(2). */
static pid_t start_process(bool shares_descriptors, int *process_fd)
{
    const struct clone_args args = {
        .flags = CLONE_PIDFD | (shares_descriptors ? CLONE_FILES : 0),
        .pidfd = (uint64_t)(uintptr_t)process_fd,
        .exit_signal = SIGCHLD,
    };
    return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

/* True if a process that copies only the descriptors below SEPARATION_FDS gets all of these. */
static bool are_copied_to_children(const int ends[SESSIONS_CHILD_ENDS])
{
    for (size_t i = 0; i < SESSIONS_CHILD_ENDS; i++) {
        if (ends[i] >= SEPARATION_FDS) {
            return false;
        }
    }
    return true;
}

/* What people draw and ask of their sessions comes after the core, on which everybody waits. */
static void lower_priority(void)
{
    errno = 0;
    if (nice(NICE) == -1 && errno != 0) {
        (void)log_failure("a session cannot lower its priority");
    }
}

/* Forks the session; does not return in the child. In the parent, the session takes over its
 * child_ends, unless the result is negative. */
static pid_t fork_session(const struct session_setup *setup, struct sessions_entry *session)
{
    bool shares_descriptors = are_copied_to_children(session->child_ends);
    session->has_child_ends = true;
    session->awaits_separation = true;
    session->process_fd = -1;
    session->pid = start_process(shares_descriptors, &session->process_fd);
    if (session->pid < 0 && (errno == ENOSYS || errno == EPERM)) {
        shares_descriptors = false;
        session->pid = fork(); /* a container may forbid clone3(2) */
    }
    if (session->pid == 0) {
        lower_priority();
        session_run(setup);
    }
    if (session->pid > 0 && !shares_descriptors) {
        sessions_close_child_ends(session);
    }
    return session->pid;
}

static bool make_signed_in_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return false;
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ,
                PAGE_BYTES); /* two bytes go through it; it may stay larger */
    return true;
}

static void keep_descriptors_from_children(struct sessions_entry *session)
{
    int *const descriptors[] = {&session->core_end, &session->signed_in_fd, &session->log_fd,
                                &session->process_fd};
    for (size_t i = 0; i < ARRAY_LEN(descriptors); i++) {
        if (*descriptors[i] >= 0) {
            *descriptors[i] = separation_keep_from_children(*descriptors[i]);
        }
    }
}

bool gate_fork_session(const struct gate *gate, const struct gate_client *client,
                       struct sessions_entry *session)
{
    int core_ends[2], signed_in[2] = {-1, -1}, log[2];
    if (packet_make_socket_pair(core_ends) != 0) {
        return false;
    }
    if (!make_signed_in_pipe(signed_in) || !gate_log_make_pipe(log)) {
        fd_close_pair(signed_in);
        fd_close_pair(core_ends);
        return false;
    }
    const struct session_setup setup = {
        .is_telnet = client->is_telnet,
        .is_encrypted = client->is_encrypted,
        .host = gate->host,
        .warm = gate->warm,
        .confinement = gate->confinement,
        .config = &gate->config,
        .command_line = gate->command_line,
        .peer_socket = client->socket,
        .core_socket = core_ends[1],
        .signed_in_fd = signed_in[1],
        .log_fd = log[1],
        .conn = session->conn,
    };
    const int child_ends[] = {client->socket, core_ends[1], signed_in[1], log[1]};
    for (size_t i = 0; i < SESSIONS_CHILD_ENDS; i++) {
        session->child_ends[i] = child_ends[i];
    }
    session->core_end = core_ends[0];
    session->signed_in_fd = signed_in[0];
    session->log_fd = log[0];
    if (fork_session(&setup, session) < 0) {
        fd_close_pair(core_ends);
        fd_close_pair(signed_in);
        fd_close_pair(log);
        return false;
    }
    keep_descriptors_from_children(session);
    if (gate->core.is_waiting) {
        house_away_tell_waiting(session->core_end);
    }
    return true;
}

void gate_fork_move_descriptors(struct gate *gate)
{
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        keep_descriptors_from_children(session);
    }
}
