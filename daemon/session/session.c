#include "daemon/base/clock.h"
#include "daemon/base/i18n.h"
#include "daemon/base/log.h"
#include "daemon/base/process_name.h"
#include "daemon/session/client.h"
#include "daemon/session/confine.h"
#include "daemon/session/core_link.h"
#include "daemon/session/session_state.h"
#include "daemon/session/sshd_host.h"
#include "daemon/session/ui.h"

#include <fcntl.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    KEX_TIMEOUT_MS = 15000,
    LOGIN_TIMEOUT_MS = 60000, /* key exchange included */
    START_TIMEOUT_MS = 30000,
    CLOSE_TIMEOUT_MS = 500,
};

bool session_turn(struct session *session, int64_t timeout_ms, int heed)
{
    bool is_writing = (ssh_get_poll_flags(session->ssh) & SSH_WRITE_PENDING) != 0;
    struct pollfd fds[] = {
        {.fd = FD_PEER, .events = is_writing ? POLLIN | POLLOUT : POLLIN},
        {.fd = (heed & HEED_STOP) != 0 ? FD_STOP : -1, .events = POLLIN},
        {.fd = (heed & HEED_CORE) != 0 ? FD_CORE : -1, .events = core_link_events(session->core)},
    };
    int64_t wait_ms = timeout_ms < 0                     ? 0
                      : timeout_ms > SESSION_TURN_MS_MAX ? SESSION_TURN_MS_MAX
                                                         : timeout_ms;
    if (poll(fds, ARRAY_LEN(fds), (int)wait_ms) < 0) {
        return true; /* interrupted */
    }
    watchdog_arm();
    if (session->ui != NULL) {
        ui_tick(session->ui, clock_unix_ms()); /* before what has come, which bears no time */
    }
    if (fds[1].revents != 0) {
        session->ending = _("The house is closing. Please come back in a moment.");
        return false;
    }
    if (fds[0].revents != 0) {
        /* Its result says nothing of a disconnection noticed inside a write. */
        ssh_event_dopoll(session->event, 0);
    }
    if (ssh_is_connected(session->ssh) == 0) {
        session->is_peer_gone = true;
        return false;
    }
    if (fds[2].revents != 0 && !core_link_turn(session->core)) {
        if (session->ui == NULL || !ui_is_done(session->ui)) { /* else it has said goodbye */
            session->ending = _("The house has ended this connection. Please connect again.");
        }
        return false;
    }
    return true;
}

/* Before there is a screen, only the house's name is of interest. */
static void hear_welcome(void *context, const char *type, const json_t *message)
{
    struct session *session = context;
    const char *name = json_string_value(json_object_get(message, "house"));
    if (strcmp(type, "welcome") == 0 && name != NULL) {
        snprintf(session->auth.house, sizeof(session->auth.house), "%s", name);
    }
}

static bool exchange_keys(struct session *session, int64_t deadline_ms)
{
    int result;
    while ((result = ssh_handle_key_exchange(session->ssh)) == SSH_AGAIN) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        bool is_writing = (ssh_get_poll_flags(session->ssh) & SSH_WRITE_PENDING) != 0;
        struct pollfd fds[] = {
            {.fd = FD_PEER, .events = is_writing ? POLLIN | POLLOUT : POLLIN},
            {.fd = FD_STOP, .events = POLLIN},
        };
        if (left_ms <= 0 || (poll(fds, ARRAY_LEN(fds), (int)left_ms) > 0 && fds[1].revents != 0)) {
            return false;
        }
        watchdog_arm();
    }
    return result == SSH_OK && ssh_event_add_session(session->event, session->ssh) == SSH_OK;
}

/* The core's socket is read only by the door: what is pushed meanwhile waits for the screen. */
static bool sign_in(struct session *session, int64_t deadline_ms)
{
    while (session->auth.state == SSHD_AUTH_ASKING) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending = _("Signing in took too long. Please try again.");
            session->exit = SESSION_GRACE;
            return false;
        }
        if (!session_turn(session, left_ms, HEED_STOP)) {
            bool has_tried = session->auth.wrong_tries > 0;
            bool has_left = session->is_peer_gone;
            session->exit = !has_left   ? SESSION_ENDED
                            : has_tried ? SESSION_AUTH_FAILED
                                        : SESSION_NO_AUTH;
            return false;
        }
    }
    if (session->auth.state == SSHD_AUTH_OVER) {
        session->exit = session->auth.is_core_gone ? SESSION_FAILED : SESSION_AUTH_FAILED;
        session->ending = _("Signing in has failed. Please try again later.");
        return false;
    }
    ssize_t told = write(FD_SIGNED_IN, "i", 1);
    close(FD_SIGNED_IN);
    return told == 1; /* or else the gate is gone, and nobody hands this connection on */
}

static bool await_start(struct session *session)
{
    int64_t deadline_ms = clock_steady_ms() + START_TIMEOUT_MS;
    while (session->channel.start == SSHD_CHANNEL_WAITING) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending = _("Nothing was asked for: connect with a terminal.");
            return false;
        }
        if (!session_turn(session, left_ms, HEED_STOP)) {
            return false;
        }
    }
    if (session->channel.start == SSHD_CHANNEL_EXEC) {
        session->ending = _("Trickhouse takes no commands yet: connect without one.");
    } else if (!session->channel.has_terminal) {
        session->ending = _("Trickhouse needs a terminal: connect with ssh -t.");
    }
    return session->ending == NULL;
}

/* The last words, for a terminal behind the screen's own, else as an error of the command. */
static void say_ending(struct session *session)
{
    struct sshd_channel *channel = &session->channel;
    if (session->ui != NULL) {
        ui_end(session->ui, &channel->out);
    }
    if (session->ending == NULL) {
        return;
    }
    char line[256];
    int len = snprintf(line, sizeof(line), "%s%s", session->ending,
                       channel->has_terminal ? "\r\n" : "\n");
    if (!channel->has_terminal) {
        ssh_channel_write_stderr(channel->channel, line, (uint32_t)len);
    } else if (!bytes_add(&channel->out, line, (size_t)len)) {
        return; /* a reader that far behind would not see it anyway */
    }
}

/* Lets what was said leave, and the client close from its side: a disconnection that overtakes the
 * exit status would look like a failure to it. */
static void finish(struct session *session, int exit_status)
{
    struct sshd_channel *channel = &session->channel;
    int64_t deadline_ms = clock_steady_ms() + CLOSE_TIMEOUT_MS;
    if (channel->channel != NULL) {
        say_ending(session);
        sshd_channel_pump(channel);
        while (sshd_channel_is_blocked(channel) && clock_steady_ms() < deadline_ms &&
               session_turn(session, deadline_ms - clock_steady_ms(), 0)) {
            sshd_channel_pump(channel);
        }
        sshd_channel_close(channel, exit_status);
        deadline_ms = clock_steady_ms() + CLOSE_TIMEOUT_MS;
        while (clock_steady_ms() < deadline_ms &&
               session_turn(session, deadline_ms - clock_steady_ms(), 0)) {
        }
    }
    if (session->ending != NULL) {
        ssh_session_set_disconnect_message(session->ssh, session->ending);
    }
    ssh_disconnect(session->ssh);
}

/* Returns the exit status for the client. */
static int serve(struct session *session)
{
    int64_t now_ms = clock_steady_ms();
    session->door.deadline_ms = now_ms + LOGIN_TIMEOUT_MS;
    pulse_init(&session->pulse, session->ssh, now_ms);
    sshd_auth_init(&session->auth, session->ssh, &session->door, &session->channel);
    sshd_channel_init(&session->channel, session->ssh);
    client_on_push(core_link_client(session->core), hear_welcome, session);
    client_hello(core_link_client(session->core), "trickhouse " TRICKHOUSE_VERSION);

    if (!exchange_keys(session, now_ms + KEX_TIMEOUT_MS)) {
        session->is_peer_gone = true;
        return 1;
    }
    if (!sign_in(session, session->door.deadline_ms) || !await_start(session) ||
        !session_open_screen(session)) {
        return 1;
    }
    session_serve_screen(session);
    return 0;
}

/* Puts the descriptors into their places and closes all others. Dies when it cannot. */
static void place_descriptors(const struct session_setup *setup)
{
    const int from[] = {setup->peer_socket, setup->core_socket, setup->signed_in_fd};
    int above[ARRAY_LEN(from)];
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        above[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FD_FREE);
    }
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        if (above[i] < 0 || dup2(above[i], FD_PEER + (int)i) < 0) {
            _exit(SESSION_FAILED);
        }
    }
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    close_range(FD_STOP, ~0U, 0);
    int fd = signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0 || (fd != FD_STOP && (dup2(fd, FD_STOP) < 0 || close(fd) != 0))) {
        _exit(SESSION_FAILED);
    }
}

/* SIGTERM comes through its descriptor; an interrupt at the house's own terminal is the gate's to
 * handle; the watchdog's signal keeps its deadly default. */
static void set_signals(void)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void session_run(const struct session_setup *setup)
{
    process_set_name("session");
    set_signals();
    place_descriptors(setup);
    confine_session();
    watchdog_arm();

    const int on = 1;
    setsockopt(FD_PEER, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* a key's echo cannot wait */
    struct session session = {
        .ssh = sshd_host_accept(setup->host, FD_PEER),
        .event = ssh_event_new(),
        .core = core_link_new(FD_CORE),
        .door = {.peer_fd = FD_PEER, .stop_fd = FD_STOP},
    };
    if (session.ssh == NULL || session.event == NULL) {
        _exit(SESSION_FAILED);
    }
    session.door.link = session.core;
    int exit_status = serve(&session);
    if (!session.is_peer_gone) {
        finish(&session, exit_status);
    }
    _exit((int)session.exit);
}
