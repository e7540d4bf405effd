#include "daemon/session/session.h"

#include "daemon/base/clock.h"
#include "daemon/base/i18n.h"
#include "daemon/base/process_name.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/session/confine.h"
#include "daemon/session/core_link.h"
#include "daemon/session/session_state.h"
#include "lobby/protocol/client.h"

#include <fcntl.h>
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
    CLOSE_TIMEOUT_MS = 500, /* not a limit but a courtesy: the person has left already */
    READ_TIMEOUT_MS = 30000 /* a pipe may take its time with an answer: what ssh has not passed on
                               when we hang up is lost */
};

static void end_for_greed(struct session *session)
{
    session->ending = _("This connection kept the house too busy. Please connect again.");
    session->exit = SESSION_GREEDY;
}

bool session_is_cheap(struct session *session)
{
    if (watchdog_cpu_ms() > SESSION_SIGN_IN_CPU_MS) {
        end_for_greed(session);
    }
    return session->exit != SESSION_GREEDY;
}

bool session_turn(struct session *session, int64_t timeout_ms, int heed)
{
    struct pollfd fds[] = {
        {.fd = FD_PEER, .events = session->transport->events(session)},
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
    if (watchdog_is_greedy(&session->watchdog, clock_steady_ms(), watchdog_cpu_ms())) {
        end_for_greed(session);
        return false;
    }
    if (fds[1].revents != 0) {
        session->ending = _("The house is closing. Please come back in a moment.");
        return false;
    }
    if (!session->transport->take(session, fds[0].revents != 0)) {
        session->is_peer_gone = session->ending == NULL;
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

/* Before there is a screen, only this is of interest. */
static void hear_welcome(void *context, const char *type, const json_t *message)
{
    struct session *session = context;
    const char *name = json_string_value(json_object_get(message, "house"));
    if (strcmp(type, "welcome") == 0 && name != NULL) {
        const json_t *lengths = json_object_get(message, "password");
        const char *guests = json_string_value(json_object_get(message, "guests"));
        session->door.takes_no_guests = guests != NULL && strcmp(guests, "no") == 0;
        snprintf(session->door.house, sizeof(session->door.house), "%s", name);
        session->password_min = (uint32_t)json_integer_value(json_array_get(lengths, 0));
        session->password_max = (uint32_t)json_integer_value(json_array_get(lengths, 1));
    }
}

/* It ended before anybody had signed in. */
static void judge_unfinished(struct session *session)
{
    if (session->exit != SESSION_ENDED) {
        return;
    }
    if (session->door.wrong_tries > 0) {
        session->exit = SESSION_AUTH_FAILED;
    } else if (session->is_peer_gone || session->is_peer_at_fault) {
        session->exit = SESSION_NO_AUTH;
    }
}

bool session_sign_in(struct session *session)
{
    struct door *door = &session->door;
    while (door->state == DOOR_ASKING) {
        int64_t left_ms = door->deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending = _("Signing in took too long. Please try again.");
            session->exit = SESSION_GRACE;
            return false;
        }
        if (!session_turn(session, left_ms, HEED_STOP)) {
            judge_unfinished(session);
            return false;
        }
        if (!session_is_cheap(session)) {
            return false;
        }
    }
    if (door->state == DOOR_SHUT) {
        session->exit = door->is_core_gone ? SESSION_FAILED : SESSION_AUTH_FAILED;
        session->ending = _("Signing in has failed. Please try again later.");
        return false;
    }
    ssize_t told = write(FD_SIGNED_IN, "i", 1);
    close(FD_SIGNED_IN);
    return told == 1; /* or else the gate is gone, and nobody hands this connection on */
}

void session_add_ending(struct session *session)
{
    char line[512];
    if (session->use == USE_API) {
        if (session->ending != NULL) {
            api_say_bye(&session->api, session->ending, &session->terminal.out);
        }
        return;
    }
    if (session->ui != NULL) {
        ui_end(session->ui, &session->terminal.out);
    }
    if (session->ending != NULL) {
        int len = snprintf(line, sizeof(line), "%s%s", session->ending,
                           session->terminal.lines.is_piped ? "\n" : "\r\n");
        bool is_said = bytes_add(&session->terminal.out, line, (size_t)len);
        (void)is_said; /* a reader that far behind would not see it anyway */
    }
}

void session_drain(struct session *session)
{
    const struct transport *transport = session->transport;
    int64_t deadline_ms = clock_steady_ms() + CLOSE_TIMEOUT_MS;
    transport->send(session);
    while (transport->is_blocked(session) && clock_steady_ms() < deadline_ms &&
           session_turn(session, deadline_ms - clock_steady_ms(), 0)) {
        transport->send(session);
    }
}

void session_await_close(struct session *session)
{
    bool is_answer = session->use == USE_QUERY;
    int64_t deadline_ms = clock_steady_ms() + (is_answer ? READ_TIMEOUT_MS : CLOSE_TIMEOUT_MS);
    while (clock_steady_ms() < deadline_ms &&
           session_turn(session, deadline_ms - clock_steady_ms(), is_answer ? HEED_STOP : 0)) {
    }
}

/* What was set in the house is stronger than what the client sends. Programs get English. */
static void choose_language(const struct session *session)
{
    json_t *you =
        session->door.you == NULL ? NULL : json_loads(session->door.you, JSON_DECODE_ANY, NULL);
    const char *set =
        json_string_value(json_object_get(json_object_get(you, "settings"), "language"));
    if ((set == NULL || !i18n_choose(set)) && session->terminal.language != NULL) {
        i18n_choose(session->terminal.language);
    }
    json_decref(you);
}

/* Returns the exit status for the client. */
static int serve(struct session *session)
{
    int64_t now_ms = clock_steady_ms();
    session->door.deadline_ms = now_ms + 1000 * (int64_t)session->config->door_login_s;
    pulse_init(&session->pulse, 1000 * (int64_t)session->config->connection_keepalive_s,
               (int)session->config->connection_keepalives, now_ms);
    watchdog_init(&session->watchdog, 1000 * (int64_t)session->config->connection_cpu_window_s,
                  (int)session->config->connection_cpu_percent);
    watchdog_restart(&session->watchdog, now_ms, watchdog_cpu_ms());
    client_on_push(core_link_client(session->core), hear_welcome, session);
    client_hello(core_link_client(session->core), "trickhouse " TRICKHOUSE_VERSION);
    if (!session->transport->enter(session)) {
        return 1;
    }
    if (session->use == USE_API) {
        return session_serve_api(session);
    }
    choose_language(session);
    if (session->use == USE_QUERY) {
        return session_serve_query(session, session->command);
    }
    door_come_in(&session->door, NULL);
    if (!session_open_screen(session)) {
        return 1;
    }
    session_serve_screen(session);
    return 0;
}
/* Nothing is read from standard input or written to standard output, and errors go on the log. None
 * of them stays the house's own, which all its processes share. Dies when that cannot be. */
static void place_standard(const struct session_setup *setup)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        dup2(setup->log_fd, STDERR_FILENO) < 0) {
        _exit(SESSION_FAILED);
    }
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
    place_standard(setup);
    confine_files(setup->confinement);
    place_descriptors(setup);
    watchdog_arm();

    const int on = 1;
    setsockopt(FD_PEER, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* a key's echo cannot wait */
    struct session session = {
        .confinement = setup->confinement,
        .config = setup->config,
        .conn = setup->conn,
        .transport = setup->is_telnet ? &session_telnet : &session_ssh,
        .core = core_link_new(FD_CORE),
        .door = {.peer_fd = FD_PEER,
                 .stop_fd = FD_STOP,
                 .tries_max = (int)setup->config->door_tries,
                 .asks = !setup->is_telnet}, /* by ssh it turns out later what for */
    };
    session.door.link = session.core;
    terminal_init(&session.terminal, (size_t)setup->config->connection_input_kib << 10);
    if (!session.transport->begin(&session, setup)) {
        _exit(SESSION_FAILED);
    }
    confine_session(setup->confinement); /* nothing that came has been read yet */
    int exit_status = serve(&session);
    if (!session.is_peer_gone) {
        session.transport->leave(&session, exit_status);
    }
    _exit((int)session.exit);
}
