#include "daemon/session/session.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/session/session_state.h"
#include "lobby/protocol/protocol.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Ends a session in which nobody has signed in yet, since the house cannot say when it will answer.
 */
static void send_away(struct session *session)
{
    if (session->login.state == LOGIN_ASKING) {
        session->login.state = LOGIN_FAILED;
        session->login.is_core_gone = true;
        session->ending = _("The house cannot reach its data at the moment, and nobody can enter. "
                            "Please try again in a few minutes.");
        core_link_break(session->core);
    }
}

/* Reads the core's `welcome` and, from the gate, that the house waits: the only pushes that matter
 * before there is a screen. */
static void read_first_pushes(void *context, const char *type, const json_t *message)
{
    struct session *session = context;
    if (strcmp(type, "house_away") == 0 && json_is_true(json_object_get(message, "waits"))) {
        send_away(session);
    }
    const char *name = json_string_value(json_object_get(message, "house"));
    if (strcmp(type, "welcome") == 0 && name != NULL) {
        const json_t *lengths = json_object_get(message, "password");
        const char *guests = json_string_value(json_object_get(message, "guests"));
        session->login.takes_no_guests = guests != NULL && strcmp(guests, "no") == 0;
        snprintf(session->login.house, sizeof(session->login.house), "%s", name);
        session->password_min = (uint32_t)json_integer_value(json_array_get(lengths, 0));
        session->password_max = (uint32_t)json_integer_value(json_array_get(lengths, 1));
    }
}

/* Chooses the language and the time zone of the account; if the account has none, those of the
 * client. Programs get English. */
static void choose_locale(const struct session *session)
{
    struct you_row you;
    struct settings_row settings;
    (void)you_row_read(session->login.you, &you);
    (void)settings_row_read(you.settings, &settings);
    if ((settings.language[0] == '\0' || !i18n_choose_language(settings.language)) &&
        session->terminal.language != NULL) {
        i18n_choose_language(session->terminal.language);
    }
    /* an unknown zone changes nothing */
    if (settings.timezone[0] == '\0' || zones_use(settings.timezone) == NULL) {
        (void)zones_use(session->terminal.timezone);
    }
}

/* Serves the connection to its end; returns the exit status that the client is sent. */
static int serve_connection(struct session *session)
{
    int64_t now_ms = clock_steady_ms();
    session->login.deadline_ms = now_ms + 1000 * (int64_t)session->config->door_login_s;
    keepalive_init(&session->keepalive, 1000 * (int64_t)session->config->connection_keepalive_s,
                   (int)session->config->connection_keepalives, now_ms);
    watchdog_init(&session->watchdog, 1000 * (int64_t)session->config->connection_cpu_window_s,
                  (int)session->config->connection_cpu_percent);
    watchdog_start_window(&session->watchdog, now_ms, watchdog_read_cpu_ms());
    client_set_push_receiver(core_link_client(session->core), read_first_pushes, session);
    client_send_hello(core_link_client(session->core), "trickhouse " TRICKHOUSE_VERSION);
    if (!session->transport->enter(session)) {
        return 1;
    }
    if (session->use == USE_API) {
        return session_serve_api(session);
    }
    choose_locale(session);
    if (session->use == USE_QUERY) {
        return session_serve_query(session, session->command);
    }
    login_enter_house(&session->login, NULL);
    if (!session_open_screen(session)) {
        return 1;
    }
    session_serve_screen(session);
    return 0;
}
/* Redirects standard input and output to /dev/null and standard error to the log, because a session
 * must not share open files with the house's other processes. Exits on failure. */
static void redirect_standard_streams(const struct session_setup *setup)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        dup2(setup->log_fd, STDERR_FILENO) < 0) {
        _exit(SESSION_FAILED);
    }
}

/* Gives the session's descriptors their fixed numbers and closes all others. Exits on failure. */
static void renumber_descriptors(const struct session_setup *setup)
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
    fd_close_range(FD_STOP, ~0U, 0);
    int fd = signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0 || (fd != FD_STOP && (dup2(fd, FD_STOP) < 0 || close(fd) != 0))) {
        _exit(SESSION_FAILED);
    }
}

/* Sets how this process handles signals. SIGTERM is read from a descriptor. SIGINT is blocked:
 * Ctrl-C at the house's own terminal is meant for the gate. The watchdog's signal keeps its default
 * action, which ends the process. */
static void set_up_signals(void)
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
    separation_begin(setup->signed_in_fd);
    process_set_name_in(&setup->command_line, "session");
    set_up_signals();
    redirect_standard_streams(setup);
    confine_files(setup->confinement);
    renumber_descriptors(setup);
    if (!display_reopen_file(setup->warm->display)) {
        _exit(SESSION_FAILED);
    }
    watchdog_arm();

    const int on = 1;
    /* send each typed key's echo at once */
    setsockopt(FD_PEER, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    struct session session = {
        .confinement = setup->confinement,
        .config = setup->config,
        .display = setup->warm->display,
        .conn = setup->conn,
        .transport = setup->is_telnet ? &session_telnet : &session_ssh,
        .core = core_link_new(FD_CORE),
        .login = {.peer_fd = FD_PEER,
                  .stop_fd = FD_STOP,
                  .tries_max = (int)setup->config->door_tries,
                  .is_query_only = !setup->is_telnet}, /* an SSH client asks for a shell, a command
                                                          or a subsystem only after signing in */
    };
    session.login.link = session.core;
    terminal_init(&session.terminal, (size_t)setup->config->connection_input_kib << 10);
    if (!session.transport->begin(&session, setup)) {
        _exit(SESSION_FAILED);
    }
    confine_session(setup->confinement); /* no byte from the client has been read yet */
    int exit_status = serve_connection(&session);
    if (!session.is_peer_gone) {
        session.transport->leave(&session, exit_status);
    }
    _exit((int)session.exit);
}
