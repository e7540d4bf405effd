#include "daemon/processes/gate/gate_admit.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/processes/gate/gate_fork.h"
#include "daemon/processes/gate/gate_listen.h"
#include "daemon/processes/gate/gate_sessions.h"
#include "daemon/processes/gate/gate_state.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ACCEPTS_PER_PASS = 16 /* most connections accepted in one pass of the gate's loop, so that
                             signals and the core are handled even in a flood */
};

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
    const struct sessions_entry *session;
    if (net < 0) {
        return false;
    }
    LIST_FOREACH(session, &gate->sessions.unauth_list, of_unauth)
    {
        if (banned_nets_find(&gate->core.banned, &session->source) == net) {
            return true;
        }
    }
    return false;
}

/* Admits or refuses a connection. Returns true if the session has taken over the socket; otherwise
 * the caller closes it. */
static bool session_takes_connection(struct gate *gate, int client_fd, bool is_telnet,
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

    if (sessions_is_full(&gate->sessions)) {
        refuse_connection(gate, client_fd, session.address, "full",
                          "Trickhouse is full, please come back later.\r\n");
        return false;
    }
    if (has_sign_in_from_same_banned_net(gate, &session.source)) {
        refuse_connection(gate, client_fd, session.address, "banned",
                          "Your network is banned here. Only one person at a time may sign in or "
                          "appeal: please wait.\r\n");
        return false;
    }
    enum limits_verdict verdict = decide_admission_of_source(gate, &session.source);
    if (verdict != LIMITS_ADMIT) {
        refuse_connection(gate, client_fd, session.address, whys[verdict],
                          "Too many connections, please wait a moment.\r\n");
        return false;
    }
    if (!gate_fork_session(gate, client_fd, &session)) {
        log_failure("cannot start a session");
        refuse_connection(gate, client_fd, session.address, "no-process",
                          "Trickhouse is out of resources, please come back later.\r\n");
        gate_set_listening(gate, false);
        return false;
    }
    gate->next_conn++;
    struct sessions_entry *added = sessions_add(&gate->sessions, &session);
    (void)gate_watch_session(gate, added); /* gate_watch_descriptor has logged the error */
    log_pairs(LOG_LEVEL_INFO, session.conn, "open",
              LOG_PAIRS("transport", is_telnet ? "telnet" : "ssh", "address", session.address));
    return true;
}

static void admit_connection(struct gate *gate, int client_fd, bool is_telnet,
                             const struct sockaddr_storage *address)
{
    if (!session_takes_connection(gate, client_fd, is_telnet, address)) {
        close(client_fd);
    }
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
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_failure("cannot accept");
            gate_set_listening(gate, false);
        }
    }
}
