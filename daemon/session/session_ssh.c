#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/session/session.h"
#include "daemon/session/session_state.h"

#include <libssh/libssh.h>
#include <libssh/server.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    /* time that a client whose first request was refused has to send another */
    REFUSED_TIMEOUT_MS = 2000,
    DISCARDS =
        4, /* how often bytes of a client are discarded that is told why it is disconnected */
    DISCARD_MS = 100, /* how long to wait for each of them */
    DISCARD_BYTES = 4096
};

struct ssh {
    ssh_session session;
    ssh_event event;
    struct sshd_auth auth;
    struct sshd_channel channel;
    struct ssh_counter_struct counter; /* must not move: libssh points to it */
};

static bool begin_ssh(struct session *session, const struct session_setup *setup)
{
    struct ssh *ssh = must_allocate(sizeof(*ssh));
    session->own = ssh;
    ssh->session = sshd_host_accept(setup->host, FD_PEER);
    ssh->event = ssh_event_new();
    if (ssh->session == NULL || ssh->event == NULL) {
        return false;
    }
    ssh_set_counters(ssh->session, &ssh->counter, NULL);
    sshd_auth_init(&ssh->auth, ssh->session, &session->login, &ssh->channel);
    ssh->auth.key_probes_max = (int)session->config->door_key_probes;
    ssh->auth.requests_max = (int)session->config->door_requests;
    sshd_channel_init(&ssh->channel, ssh->session, &session->terminal,
                      (size_t)session->config->connection_pending_kib << 10);
    return true;
}

static short choose_poll_events(const struct session *session)
{
    const struct ssh *ssh = session->own;
    bool is_writing = (ssh_get_poll_flags(ssh->session) & SSH_WRITE_PENDING) != 0;
    return is_writing ? POLLIN | POLLOUT : POLLIN;
}

/* True if the client has violated the SSH protocol: libssh then ignores the client but leaves the
 * connection open. */
static bool has_broken_protocol(const struct ssh *ssh)
{
    return (ssh_get_status(ssh->session) & (SSH_CLOSED | SSH_CLOSED_ERROR)) != 0;
}

static bool read_input(struct session *session, bool has_input)
{
    const struct ssh *ssh = session->own;
    if (has_input) {
        /* ignore the result: it does not tell whether a write failed because the client is gone */
        ssh_event_dopoll(ssh->event, 0);
    }
    if (ssh_is_connected(ssh->session) == 0) {
        return false;
    }
    if (has_broken_protocol(ssh)) {
        session->ending = _("Your client broke the rules of SSH. Please try another.");
        session->is_peer_at_fault = true;
        return false;
    }
    return true;
}

/* Logs the algorithms of the key exchange. The MAC is NULL if the cipher itself authenticates. The
 * banner comes from the client. */
static void log_key_exchange(const struct session *session)
{
    const struct ssh *ssh = session->own;
    log_pairs(LOG_LEVEL_INFO, session->conn, "key-exchange",
              LOG_PAIRS("kex", ssh_get_kex_algo(ssh->session), "cipher_in",
                        ssh_get_cipher_in(ssh->session), "cipher_out",
                        ssh_get_cipher_out(ssh->session), "mac_in", ssh_get_hmac_in(ssh->session),
                        "mac_out", ssh_get_hmac_out(ssh->session), "client",
                        ssh_get_clientbanner(ssh->session)));
}

/* Exchanges keys. Some clients, such as dropbear's, sign in before the key exchange has ended.
 * libssh would then wait for the end of the key exchange for ever, so this loop also ends when
 * somebody has signed in. */
static bool exchange_keys(struct session *session)
{
    const struct ssh *ssh = session->own;
    int64_t deadline_ms = clock_steady_ms() + 1000 * (int64_t)session->config->door_key_exchange_s;
    int result;
    while ((result = ssh_handle_key_exchange(ssh->session)) == SSH_AGAIN &&
           session->login.state == LOGIN_ASKING && !has_broken_protocol(ssh)) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        struct pollfd fds[] = {
            {.fd = FD_PEER, .events = choose_poll_events(session)},
            {.fd = FD_STOP, .events = POLLIN},
        };
        if (left_ms <= 0) {
            session->ending = _("The key exchange took too long. Please try again.");
            session->exit = SESSION_GRACE;
            return false;
        }
        bool is_told_to_stop = poll(fds, ARRAY_LEN(fds), (int)left_ms) > 0 && fds[1].revents != 0;
        if (is_told_to_stop || !session_is_within_sign_in_cpu_limit(session)) {
            return false;
        }
        watchdog_arm();
    }
    if (result == SSH_ERROR || has_broken_protocol(ssh)) {
        session->ending = _("The key exchange with your client failed. Is your client too old?");
        session->exit = SESSION_NO_AUTH;
        return false;
    }
    log_key_exchange(session);
    return ssh_event_add_session(ssh->event, ssh->session) == SSH_OK;
}

static bool await_client_request(struct session *session)
{
    const struct ssh *ssh = session->own;
    int64_t began_ms = clock_steady_ms();
    while (ssh->channel.start == SSHD_CHANNEL_WAITING) {
        bool has_refused = ssh->channel.has_refused;
        int64_t patience_ms =
            has_refused ? REFUSED_TIMEOUT_MS : 1000 * (int64_t)session->config->door_start_s;
        int64_t left_ms = began_ms + patience_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending =
                has_refused ? _("Trickhouse has no such subsystem: connect with a terminal.")
                            : _("Your client did not ask for a session: connect with a terminal.");
            return false;
        }
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_STOP)) {
            return false;
        }
    }
    session->use = ssh->channel.start == SSHD_CHANNEL_API    ? USE_API
                   : ssh->channel.start == SSHD_CHANNEL_EXEC ? USE_QUERY
                                                             : USE_SCREEN;
    session->command = ssh->channel.command;
    session->terminal.lines = (struct ui_lines){.is_on = !ssh->channel.has_terminal,
                                                .is_echoed = ssh->channel.has_terminal,
                                                .is_piped = !ssh->channel.has_terminal};
    return true;
}

static bool sign_in_and_await_request(struct session *session)
{
    return exchange_keys(session) && session_sign_in(session) && await_client_request(session);
}

static bool is_output_blocked(const struct session *session)
{
    const struct ssh *ssh = session->own;
    return sshd_channel_is_blocked(&ssh->channel);
}

static size_t send_output(struct session *session)
{
    struct ssh *ssh = session->own;
    return sshd_channel_send(&ssh->channel);
}

static uint64_t count_received_bytes(const struct session *session)
{
    const struct ssh *ssh = session->own;
    return ssh->counter.in_bytes;
}

/* Asks whether the client is alive. In non-blocking mode, ssh_send_keepalive may send nothing and
 * only return the result of the previous call. If the first call has sent nothing, a second call
 * follows. */
static void ask_if_alive(struct session *session)
{
    const struct ssh *ssh = session->own;
    uint64_t sent = ssh->counter.out_bytes;
    for (int i = 0; i < 2 && ssh->counter.out_bytes == sent; i++) {
        ssh_send_keepalive(ssh->session);
    }
}

/* Sends the last message to somebody who could not sign in because the core does not answer. The
 * client may still be sending: if the socket were closed before its bytes are read, the system
 * would throw away our message. */
static void disconnect_and_discard_input(const struct ssh *ssh)
{
    const int fd = FD_PEER;
    uint8_t bytes[DISCARD_BYTES];
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    /* libssh would drop a packet that finds the socket in use by the packet before */
    ssh_set_fd_towrite(ssh->session);
    /* libssh does not close a socket that was set as an option */
    (void)ssh_options_set(ssh->session, SSH_OPTIONS_FD, &fd);
    ssh_disconnect(ssh->session);
    (void)shutdown(fd, SHUT_WR);
    for (int i = 0; i < DISCARDS && poll(&readable, 1, DISCARD_MS) == 1; i++) {
        if (recv(fd, bytes, sizeof(bytes), 0) <= 0) {
            return;
        }
    }
}

/* Prints the last message, below the screen or on standard error, and closes the connection. If the
 * client learned of the disconnection before the exit status, the client would report a failure. */
static void close_connection(struct session *session, int exit_status)
{
    struct ssh *ssh = session->own;
    if (ssh->channel.channel != NULL) {
        if (ssh->channel.has_terminal || session->ui != NULL || session->use == USE_API) {
            session_print_end_reason(session);
        } else if (session->ending != NULL) {
            ssh_channel_write_stderr(ssh->channel.channel, session->ending,
                                     (uint32_t)strlen(session->ending));
            ssh_channel_write_stderr(ssh->channel.channel, "\n", 1);
        }
        session_send_pending_output(session);
        sshd_channel_close(&ssh->channel, exit_status);
        session_await_client_close(session);
    }
    if (session->ending != NULL) {
        ssh_session_set_disconnect_message(ssh->session, session->ending);
    }
    if (session->login.is_core_gone) {
        disconnect_and_discard_input(ssh);
    } else {
        ssh_disconnect(ssh->session);
    }
}

const struct transport session_ssh = {
    .begin = begin_ssh,
    .enter = sign_in_and_await_request,
    .events = choose_poll_events,
    .take = read_input,
    .is_blocked = is_output_blocked,
    .send = send_output,
    .heard = count_received_bytes,
    .ask = ask_if_alive,
    .leave = close_connection,
};
