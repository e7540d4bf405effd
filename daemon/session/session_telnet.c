#include "daemon/session/session_state.h"

#include "daemon/base/i18n.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    READ_MAX = 4096,
    LEFT_MAX = 1 << 20 /* most bytes of input that are discarded at the end of the connection, so
                          that the client gets the last message */
};

struct wire {
    struct telnet telnet;
    struct telnet_login login;
    bool is_logging_in;
    bool is_encrypted; /* a proxy says that TLS encrypts the connection */
    bool is_settled;   /* the negotiation is over */
    bool is_deaf;      /* the client has answered none of our offers in the negotiation */
    bool is_hiding; /* in line mode: we have offered to echo, so that the client does not show what
                       is typed */
    bool is_shown;  /* the client refused to hide what is typed, and the person was told so */
    bool is_gone;
    uint64_t heard, left; /* number of bytes received, and number of bytes discarded at the end */
    size_t encode_max;    /* most bytes of output that are encoded at a time */
    struct bytes out;     /* encoded output that waits for the socket */
};

static bool begin_telnet(struct session *session, const struct session_setup *setup)
{
    struct wire *wire = must_allocate(sizeof(*wire));
    /* this session needs no SSH host key, and a bug in the telnet parser could expose the key */
    sshd_host_free(setup->host);
    session->own = wire;
    session->heard_bytes = &wire->heard;
    wire->is_encrypted = setup->is_encrypted;
    bytes_init(&wire->out, (size_t)session->config->connection_pending_kib << 10);
    /* encoding makes the output at most twice as long */
    wire->encode_max = (size_t)session->config->connection_pending_kib << 8;

    /* Of the allowed output, the kernel may buffer one half and this process the other half. */
    const int on = 1, most = (int)session->config->connection_pending_kib << 9;
    setsockopt(FD_PEER, SOL_SOCKET, SO_SNDBUF, &most, sizeof(most));
    /* read the data mark of a synch (RFC 854) in order with the other bytes */
    setsockopt(FD_PEER, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on));
    telnet_begin_negotiation(&wire->telnet, &wire->out);
    wire->telnet.replies_max = (int)session->config->telnet_replies;
    wire->telnet.discarded_max = session->config->telnet_discarded_bytes;
    return true;
}

static bool is_output_blocked(const struct session *session)
{
    const struct wire *wire = session->own;
    return session->terminal.out.len > 0 || wire->out.len > 0;
}

static short choose_poll_events(const struct session *session)
{
    return is_output_blocked(session) ? POLLIN | POLLOUT : POLLIN;
}

static void encode_next_bytes(struct session *session)
{
    struct wire *wire = session->own;
    terminal_convert_output(&session->terminal);
    size_t len = session->terminal.out.len;
    len = len > wire->encode_max ? wire->encode_max : len;
    if (telnet_encode(&wire->telnet, session->terminal.out.at, len, &wire->out)) {
        terminal_drop_sent_bytes(&session->terminal, len);
    } else {
        wire->is_gone = true; /* cannot happen: the buffer has room for twice the length */
    }
}

static size_t send_output(struct session *session)
{
    struct wire *wire = session->own;
    size_t all = 0;
    while (!wire->is_gone && is_output_blocked(session)) {
        if (wire->out.len == 0) {
            encode_next_bytes(session);
        }
        ssize_t sent = send(FD_PEER, wire->out.at, wire->out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) {
            wire->is_gone = errno != EAGAIN && errno != EINTR;
            break;
        }
        bytes_drop_first(&wire->out, (size_t)sent);
        all += (size_t)sent;
    }
    return all;
}

static void store_window_size(struct session *session, struct telnet *telnet)
{
    if (telnet->is_resized) {
        telnet->is_resized = false;
        session->terminal.size = terminal_size_clamp(telnet->columns, telnet->rows);
        session->terminal.is_resized = true;
    }
}

/* True if the client works in line mode, where it edits and shows what is typed. That is the case
 * if it refuses our echo or character mode (RFC 858). For screen readers we choose line mode,
 * because such clients take our echo as a sign to hide what is typed. */
static bool is_line_mode(const struct wire *wire)
{
    const struct telnet *telnet = &wire->telnet;
    return wire->is_hiding || telnet->echo.ours != TELNET_YES ||
           telnet->go_ahead.ours == TELNET_NO || telnet_client_uses_screen_reader(telnet);
}

static bool update_line_mode(struct session *session)
{
    struct wire *wire = session->own;
    bool is_lines = is_line_mode(wire);
    bool is_dumb = terminal_name_is_dumb(session->terminal.name);
    const struct ui_lines lines = {.is_on = is_lines || is_dumb,
                                   .is_echoed = !is_lines,
                                   .is_read_aloud =
                                       telnet_client_uses_screen_reader(&wire->telnet)};
    session->terminal.has_new_lines |= session->terminal.lines.is_echoed == is_lines;
    session->terminal.lines = lines;
    wire->login.is_echoed = !is_lines;
    return !is_lines || wire->is_hiding || wire->is_deaf ||
           telnet_set_echo(&wire->telnet, false, &wire->out);
}

static void warn_if_typing_shows(struct session *session)
{
    struct wire *wire = session->own;
    bool is_refused = wire->is_deaf || wire->telnet.echo.ours == TELNET_NO;
    if (wire->is_hiding && is_refused && !wire->is_shown) {
        wire->is_shown = true;
        terminal_print(&session->terminal.out, _("(What you type is visible.)\n"));
    }
}

/* Asks the client to hide secrets while they are typed, and then to show again what is typed. Does
 * nothing if the house itself echoes what is typed. */
static void hide_or_show_typing(struct session *session, bool is_secret)
{
    struct wire *wire = session->own;
    if (session->terminal.lines.is_echoed || is_secret == wire->is_hiding) {
        return;
    }
    bool is_hidden = wire->telnet.echo.ours == TELNET_YES;
    wire->is_hiding = is_secret;
    wire->is_shown = false;
    wire->is_gone |= !wire->is_deaf && !telnet_set_echo(&wire->telnet, is_secret, &wire->out);
    if (!is_secret && is_hidden) {
        /* print the line break of the Enter key that the client did not show */
        terminal_print(&session->terminal.out, "\n");
    }
    warn_if_typing_shows(session);
}

static void handle_sign_in_input(struct session *session)
{
    struct wire *wire = session->own;
    telnet_login_handle(&wire->login, &session->terminal.in, clock_steady_ms(),
                        &session->terminal.out);
    wire->is_logging_in = session->login.state == LOGIN_ASKING;
    if (wire->login.has_left) {
        session->ending = _("Goodbye.");
    }
    hide_or_show_typing(session, wire->is_logging_in && wire->login.is_at_password);
}

/* Acts on the input that was received. Returns false if the session must end. */
static bool handle_received_input(struct session *session, enum telnet_result result)
{
    struct wire *wire = session->own;
    store_window_size(session, &wire->telnet);
    (void)terminal_take_env_variable(&session->terminal, "TZ", wire->telnet.zone);
    bool is_too_much = session->ui == NULL && wire->heard > session->config->telnet_sign_in_bytes;
    if (result == TELNET_TOO_MUCH || is_too_much) {
        session->ending =
            is_too_much ? _("Your client sends far more than signing in takes. Please try "
                            "another, or ssh.")
                        : _("Your client negotiates without end. Please try another, or ssh.");
        session->is_peer_at_fault = true;
        return false;
    }
    if (wire->is_settled && !update_line_mode(session)) {
        wire->is_gone = true;
    }
    if (wire->is_logging_in) {
        handle_sign_in_input(session);
    }
    warn_if_typing_shows(session);
    return session->ending == NULL;
}

/* Takes what was received at once. What is typed at the sign-in is never a paste: clients send name
 * and password together. */
static enum telnet_result take_received_bytes(struct session *session, const uint8_t *bytes,
                                              size_t len)
{
    struct wire *wire = session->own;
    size_t start = session->terminal.in.len;
    wire->heard += len;
    enum telnet_result result =
        telnet_receive(&wire->telnet, bytes, len, &session->terminal.in, &wire->out);
    if (session->ui != NULL) {
        terminal_mark_paste(&session->terminal, start);
    }
    return result;
}

/* Reads input. While the session ends, discards input. */
static bool read_input(struct session *session, bool has_input)
{
    struct wire *wire = session->own;
    uint8_t bytes[READ_MAX];
    if (has_input) {
        ssize_t got = recv(FD_PEER, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            return false;
        }
        size_t len = got > 0 ? (size_t)got : 0;
        bool may_go_on;
        if (session->ending == NULL) {
            may_go_on = handle_received_input(session, take_received_bytes(session, bytes, len));
        } else {
            may_go_on = (wire->left += len) <= LEFT_MAX;
        }
        explicit_bzero(bytes, len);
        if (!may_go_on) {
            return false;
        }
    }
    if (session->ui == NULL) { /* if there is a screen, session.c sends the output */
        send_output(session);
    }
    return !wire->is_gone;
}

static void warn_of_no_encryption(struct session *session)
{
    const struct wire *wire = session->own;
    if (!wire->is_encrypted) {
        terminal_print(
            &session->terminal.out,
            _("Telnet is not encrypted: others on the network can read all you type and "
              "see,\npasswords too. Through ssh you reach the same house, encrypted.\n\n"));
    }
}

/* Waits until the client has answered our offers, or until the time is up, since some clients never
 * answer. A client that does not answer our offer to echo works in line mode. Meanwhile the core
 * sends the house's name. */
static bool negotiate_telnet_options(struct session *session)
{
    struct wire *wire = session->own;
    int64_t deadline_ms = clock_steady_ms() + session->config->telnet_negotiation_ms;
    while (!telnet_is_negotiated(&wire->telnet) && clock_steady_ms() < deadline_ms) {
        int listen_to_core = session->login.house[0] == '\0' ? LISTEN_TO_CORE : 0;
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_STOP | listen_to_core)) {
            return false;
        }
    }
    if (wire->telnet.echo.ours == TELNET_ASKED) {
        wire->telnet.echo.ours = TELNET_NO;
        wire->is_deaf = true;
    }
    wire->is_settled = true;
    return handle_received_input(session, TELNET_OK);
}

static bool negotiate_and_sign_in(struct session *session)
{
    struct wire *wire = session->own;
    warn_of_no_encryption(session);
    if (!negotiate_telnet_options(session)) {
        session->exit = SESSION_NO_AUTH;
        return false;
    }
    terminal_name_copy(session->terminal.name, telnet_terminal_name(&wire->telnet));
    session->terminal.is_ascii = !telnet_client_shows_utf8(&wire->telnet);
    telnet_login_begin(&wire->login, &session->login, !is_line_mode(wire), &session->terminal.out);
    wire->is_logging_in = true;
    return handle_received_input(session, TELNET_OK) && session_sign_in(session);
}

static void ask_if_alive(struct session *session)
{
    struct wire *wire = session->own;
    wire->is_gone = wire->is_gone || !telnet_ask_if_client_is_alive(&wire->out);
}

/* Waits for the client to close first: closing a socket with unread input sends a reset, which
 * could destroy the last message. */
static void close_connection(struct session *session, UNUSED int exit_status)
{
    /* start a new line after the prompt or the unfinished line */
    if (session->ui == NULL) {
        terminal_print(&session->terminal.out, "\n");
    }
    session_print_end_reason(session);
    session_send_pending_output(session);
    shutdown(FD_PEER, SHUT_WR);
    session_await_client_close(session);
}

const struct transport session_telnet = {
    .begin = begin_telnet,
    .enter = negotiate_and_sign_in,
    .events = choose_poll_events,
    .take = read_input,
    .is_blocked = is_output_blocked,
    .send = send_output,
    .hide = hide_or_show_typing,
    .ask = ask_if_alive,
    .leave = close_connection,
};
