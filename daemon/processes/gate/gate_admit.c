#include "daemon/processes/gate/gate_admit.h"

#include "daemon/base/clock.h"
#include "daemon/base/fd.h"
#include "daemon/base/log.h"
#include "daemon/base/packet.h"
#include "daemon/processes/gate/gate_listen.h"
#include "daemon/processes/gate/gate_log.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/processes/gate/gate_watch.h"
#include "daemon/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ACCEPTS_PER_PASS = 16 /* most connections accepted in one pass of the gate's loop, so that
                             signals and the core are handled even in a flood */
};

/* Forks a session; does not return in the child. In the parent, always closes the descriptors that
 * the child uses. */
static pid_t fork_session(const struct session_setup *setup)
{
    pid_t pid = fork();
    if (pid == 0) {
        session_run(setup);
    }
    fd_close(setup->core_socket);
    fd_close(setup->signed_in_fd);
    fd_close(setup->log_fd);
    return pid;
}

/* Makes the session's sockets and starts its process. Returns false with errno. */
static bool start_session(struct gate *gate, int client_fd, struct sessions_entry *session)
{
    int core_ends[2], signed_in[2] = {-1, -1}, log[2];
    if (packet_make_socket_pair(core_ends) != 0) {
        return false;
    }
    if (pipe2(signed_in, O_CLOEXEC | O_NONBLOCK) != 0 || !gate_log_make_pipe(log)) {
        fd_close_pair(signed_in);
        fd_close_pair(core_ends);
        return false;
    }
    const struct session_setup setup = {
        .is_telnet = session->is_telnet,
        .host = gate->host,
        .confinement = gate->confinement,
        .config = &gate->config,
        .peer_socket = client_fd,
        .core_socket = core_ends[1],
        .signed_in_fd = signed_in[1],
        .log_fd = log[1],
        .conn = session->conn,
    };
    session->core_end = core_ends[0];
    session->signed_in_fd = signed_in[0];
    session->log_fd = log[0];
    session->pid = fork_session(&setup);
    if (session->pid < 0) {
        fd_close(core_ends[0]);
        fd_close(signed_in[0]);
        fd_close(log[0]);
        return false;
    }
    return true;
}

static uint32_t draw_random_number(void)
{
    uint32_t dice = 0;
    if (getrandom(&dice, sizeof(dice), GRND_NONBLOCK) != (ssize_t)sizeof(dice)) {
        dice = 0; /* without randomness, refuse this connection if some connections are refused at
                     random now */
    }
    return dice;
}

static enum limits_verdict decide_admission_of_source(struct gate *gate,
                                                      const struct limits_source *source)
{
    enum limits_verdict verdict =
        limits_take_token(gate->rate, &gate->config, source, clock_steady_ms());
    if (verdict != LIMITS_ADMIT) {
        return verdict;
    }
    struct limits_counts counts = sessions_count_from_source(&gate->sessions, source);
    return limits_judge_connection(&gate->config, &counts, draw_random_number());
}

static const char *const whys[] = {
    [LIMITS_ADMIT] = "",
    [LIMITS_UNAUTH] = "too-many-at-the-door",
    [LIMITS_SOURCE_UNAUTH] = "too-many-at-the-door-from-there",
    [LIMITS_SOURCE_FULL] = "too-many-from-there",
    [LIMITS_SOURCE_RATE] = "too-fast",
    [LIMITS_SOURCE_BLOCKED] = "barred",
    [LIMITS_NET_UNAUTH] = "too-many-at-the-door-from-that-net",
    [LIMITS_NET_FULL] = "too-many-from-that-net",
    [LIMITS_NET_RATE] = "too-fast-from-that-net",
    [LIMITS_NET_BLOCKED] = "barred-net",
};

/* Refuses a connection with a line of text, which an SSH server may send before its greeting (RFC
 * 4253, 4.2). Logs at most one refusal a second. */
static void refuse_connection(struct gate *gate, int client_fd, const char *address,
                              const char *reason, const char *text_for_client)
{
    int64_t now_ms = clock_steady_ms();
    gate->refused++;
    if (now_ms - gate->refusal_logged_ms >= 1000) {
        log_pairs(LOG_LEVEL_WARN, 0, "refuse",
                  LOG_PAIRS("address", address, "why", reason, "count", LOG_NUMBER(gate->refused)));
        gate->refusal_logged_ms = now_ms;
        gate->refused = 0;
    }
    ssize_t sent =
        send(client_fd, text_for_client, strlen(text_for_client), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* the text is a courtesy: if it cannot be sent, the connection is refused without
                   it */
}

/* True if another connection from the source's banned network is already signing in. */
static bool has_sign_in_from_same_banned_net(const struct gate *gate,
                                             const struct limits_source *source)
{
    int net = banned_nets_find(&gate->core.banned, source);
    for (size_t i = 0; net >= 0 && i < gate->sessions.max; i++) {
        const struct sessions_entry *session = &gate->sessions.entries[i];
        if (session->pid != 0 && session->signed_in_fd >= 0 &&
            banned_nets_find(&gate->core.banned, &session->source) == net) {
            return true;
        }
    }
    return false;
}

/* Admits or refuses a connection. The caller keeps the socket and closes it. */
static void admit_connection(struct gate *gate, int client_fd, bool is_telnet,
                             const struct sockaddr_storage *address)
{
    int64_t now_ms = clock_steady_ms();
    struct sessions_entry session = {
        .conn = gate->next_conn,
        .opened_ms = now_ms,
        .log.since_ms = now_ms,
        .cpu.since_ms = now_ms,
        .is_telnet = is_telnet,
        .source = limits_source_of_address(address),
    };
    listen_write_address(address, session.address);

    struct sessions_entry *place = sessions_find_free_place(&gate->sessions);
    if (place == NULL) {
        refuse_connection(gate, client_fd, session.address, "full",
                          "Trickhouse is full, please come back later.\r\n");
        return;
    }
    if (has_sign_in_from_same_banned_net(gate, &session.source)) {
        refuse_connection(gate, client_fd, session.address, "banned",
                          "Your network is banned here. Only one person at a time may sign in or "
                          "appeal: please wait.\r\n");
        return;
    }
    enum limits_verdict verdict = decide_admission_of_source(gate, &session.source);
    if (verdict != LIMITS_ADMIT) {
        refuse_connection(gate, client_fd, session.address, whys[verdict],
                          "Too many connections, please wait a moment.\r\n");
        return;
    }
    if (!start_session(gate, client_fd, &session)) {
        log_failure("cannot start a session");
        refuse_connection(gate, client_fd, session.address, "no-process",
                          "Trickhouse is out of resources, please come back later.\r\n");
        gate_set_listening(gate, false);
        return;
    }
    gate->next_conn++;
    sessions_add(&gate->sessions, place, &session);
    gate_watch_descriptor(
        gate, session.signed_in_fd, EPOLLIN,
        gate_watch_event_id_of_session((size_t)(place - gate->sessions.entries), false),
        EPOLL_CTL_ADD);
    (void)gate_log_watch(gate, place); /* gate_log_watch has logged the error */
    log_pairs(LOG_LEVEL_INFO, session.conn, "open",
              LOG_PAIRS("transport", is_telnet ? "telnet" : "ssh", "address", session.address));
}

void gate_admit_waiting_connections(struct gate *gate)
{
    /* an ending gate has closed its listeners, but they may still cause events: a session that was
     * just forked may keep one open for a moment */
    int tries = gate->listener_count > 0 ? ACCEPTS_PER_PASS : 0;
    for (int i = 0; i < tries && gate->paused_until_ms == 0; i++) {
        struct sockaddr_storage address = {0};
        socklen_t len = sizeof(address);
        const struct gate_listener *listener = &gate->listeners[(size_t)i % gate->listener_count];
        int client_fd = accept4(listener->socket, (struct sockaddr *)&address, &len,
                                SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client_fd >= 0) {
            admit_connection(gate, client_fd, listener->is_telnet, &address);
            close(client_fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_failure("cannot accept");
            gate_set_listening(gate, false);
        }
    }
}
