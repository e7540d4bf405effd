#include "daemon/processes/gate/gate.h"

#include "daemon/session/session.h"
#include "lobby/protocol/protocol.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes the socket listen. An IPv6 socket accepts only IPv6, and IPv4 has a socket of its own. So
 * both work, whatever the system's default is. */
static bool bind_and_listen(int fd, const struct addrinfo *address, int backlog)
{
    const int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
           (address->ai_family != AF_INET6 ||
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) == 0) &&
           bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, backlog) == 0;
}

/* Returns the port of a socket; 0 if it has none. */
static uint16_t read_port(int fd)
{
    struct sockaddr_in6 address = {0}; /* IPv4 and IPv6 addresses have the port in the same place */
    socklen_t len = sizeof(address);
    return getsockname(fd, (struct sockaddr *)&address, &len) == 0 ? ntohs(address.sin6_port) : 0;
}

/* Makes a listening socket and returns it; -1 with errno. */
static int open_socket(const char *address_text, uint16_t *port, int backlog)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *address;
    char port_text[8];
    (void)snprintf(port_text, sizeof(port_text), "%u", *port);
    if (getaddrinfo(address_text, port_text, &hints, &address) != 0) {
        errno = EINVAL;
        return -1;
    }
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && !bind_and_listen(fd, address, backlog)) {
        fd_close_and_reset(&fd);
    }
    freeaddrinfo(address);
    *port = fd >= 0 ? read_port(fd) : *port;
    return fd;
}

void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN])
{
    uint8_t bytes[16];
    text[0] = '\0';
    if (ip_net_read_address((const struct sockaddr *)address, sizeof(*address), bytes)) {
        bool is_v4 = ip_net_is_ipv4(bytes);
        (void)inet_ntop(is_v4 ? AF_INET : AF_INET6, is_v4 ? bytes + 12 : bytes, text,
                        INET6_ADDRSTRLEN); /* cannot fail: the buffer is large enough */
    }
}

/* Listens with sockets of this kind, to which config.listen_backlog connections may wait. `address`
 * is numeric; "" means all addresses: IPv6 and IPv4 on the same port, or only IPv4 on a machine
 * without IPv6. If *port is 0, the system chooses a free port, which is stored in *port. Returns
 * false with a line on the log. */
static bool open_sockets(struct gate *gate, const char *address, uint16_t *port,
                         struct listener kind)
{
    const bool is_any = address[0] == '\0';
    const char *const wanted[] = {is_any ? "::" : address, is_any ? "0.0.0.0" : NULL};
    for (size_t i = 0; i < ARRAY_LEN(wanted) && wanted[i] != NULL; i++) {
        kind.socket = open_socket(wanted[i], port, (int)gate->config.listen_backlog);
        if (kind.socket < 0 && is_any && i == 0 &&
            (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)) {
            continue; /* the machine has no IPv6 */
        }
        if (kind.socket < 0) {
            return log_failure("cannot listen on %s port %u", wanted[i], *port);
        }
        if (!listeners_add(&gate->listeners, kind)) {
            log_event(LOG_LEVEL_ERROR, 0, "too many sockets to listen on");
            fd_close(kind.socket);
            return false;
        }
    }
    return true;
}

static void log_listening(uint16_t port, struct listener kind)
{
    log_pairs(LOG_LEVEL_INFO, 0, "listen",
              LOG_PAIRS("transport", kind.is_telnet ? "telnet" : "ssh", "port", LOG_NUMBER(port),
                        "proxy", kind.is_proxied ? "yes" : NULL));
}

/* Listens for a transport, on the sockets from systemd if there are any for it. */
static bool listen_for_transport(struct gate *gate, bool is_telnet, uint16_t *port)
{
    const struct listener kind = {.is_telnet = is_telnet};
    if (!listeners_include(&gate->listeners, is_telnet) &&
        !open_sockets(gate, gate->config.listen_address, port, kind)) {
        return false;
    }
    for (size_t i = gate->listeners.count; i > 0; i--) {
        const struct listener *listener = &gate->listeners.list[i - 1];
        *port = listener->is_telnet == is_telnet ? read_port(listener->socket) : *port;
    }
    log_listening(*port, kind);
    return true;
}

static bool listen_for_proxies(struct gate *gate, uint32_t configured_port, bool is_telnet)
{
    const struct listener kind = {.is_telnet = is_telnet, .is_proxied = true};
    uint16_t port = (uint16_t)configured_port;
    if (port == 0) {
        return true;
    }
    bool is_listening = open_sockets(gate, gate->config.proxy_address, &port, kind);
    if (is_listening) {
        log_listening(port, kind);
    }
    return is_listening;
}

/* Listens on the sockets of the setup, and opens its ports. Returns false, with a line on the log,
 * if a port cannot be opened. */
static bool start_listening(struct gate *gate, const struct gate_setup *setup)
{
    const struct config *config = &gate->config;
    gate->ports = setup->ports;
    if (setup->listeners != NULL) {
        gate->listeners = *setup->listeners;
    }
    bool has_telnet = config->listen_telnet || listeners_include(&gate->listeners, true);
    return listen_for_transport(gate, false, &gate->ports.ssh) &&
           (!has_telnet || listen_for_transport(gate, true, &gate->ports.telnet)) &&
           listen_for_proxies(gate, config->proxy_ssh_port, false) &&
           listen_for_proxies(gate, config->proxy_telnet_port, true);
}

static void stop_listening(struct gate *gate)
{
    for (size_t i = 0; i < gate->listeners.count; i++) {
        /* the supervisor may have the socket open too: then epoll would go on watching it */
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, gate->listeners.list[i].socket, NULL);
    }
    listeners_close(&gate->listeners);
}

void gate_set_listening(struct gate *gate, bool is_listening)
{
    for (size_t i = 0; i < gate->listeners.count; i++) {
        gate_watch_descriptor(gate, gate->listeners.list[i].socket, is_listening ? EPOLLIN : 0,
                              WATCH_LISTEN, EPOLL_CTL_MOD);
    }
    gate->paused_until_ms = is_listening ? 0 : clock_steady_ms() + GATE_PAUSE_MS;
}

static enum packet_result send_message(const struct gate_core *core, const char *text,
                                       int fd_to_pass)
{
    return packet_send(core->socket, text, strlen(text), fd_to_pass);
}

/* Tells the core about the sessions that it does not know yet. Returns PACKET_OK once the core
 * knows all sessions. */
static enum packet_result send_new_sessions(struct gate_core *core)
{
    struct sessions_entry *session;
    enum packet_result result = PACKET_OK;
    while (result == PACKET_OK && (session = sessions_next_untold(core->sessions)) != NULL) {
        char text[256];
        snprintf(text, sizeof(text),
                 "{\"t\":\"connection\",\"conn\":%" PRId64
                 ",\"address\":\"%s\",\"transport\":\"%s\"%s}",
                 session->conn, session->address, session->is_telnet ? "telnet" : "ssh",
                 session->signed_in_fd < 0 ? ",\"signed_in\":true" : "");
        result = send_message(core, text, session->core_end);
        if (result == PACKET_OK) {
            sessions_mark_told(core->sessions, session);
        }
    }
    return result;
}

bool gate_core_send_new_sessions(struct gate_core *core)
{
    enum packet_result result = PACKET_OK;
    char hello[128];
    (void)snprintf(hello, sizeof(hello),
                   "{\"t\":\"hello\",\"protocol\":%d,\"software\":\"trickhouse %s\"%s}",
                   PROTOCOL_NUMBER, TRICKHOUSE_VERSION,
                   core->sessions->count == 0 ? ",\"inherits\":true" : "");
    if (core->state == GATE_CORE_SILENT) {
        result = send_message(core, hello, -1);
        core->state = result == PACKET_OK ? GATE_CORE_GREETED : core->state;
    }
    if (core->state >= GATE_CORE_HANDING_OVER) {
        result = send_new_sessions(core);
    }
    if (core->state == GATE_CORE_HANDING_OVER && result == PACKET_OK) {
        result = send_message(core, "{\"t\":\"connections_end\"}", -1);
        core->state = result == PACKET_OK ? GATE_CORE_LIVE : core->state;
    }
    core->has_more = result == PACKET_AGAIN;
    return result == PACKET_OK || result == PACKET_AGAIN;
}

/* Prepares for a core that is new or has lost its state: the gate must tell that core about every
 * session again. */
static void restart_session_handover(struct gate_core *core, enum gate_core_state new_state)
{
    core->state = new_state;
    core->is_waiting = false;
    sessions_forget_told(core->sessions);
}

/* Closes the gate's copy of a session's socket, because the house has closed the connection. If the
 * house has also ended the session, kills the process unless it exits within GATE_CORE_END_MS. */
static void drop_connection(struct gate_core *core, int64_t conn, bool has_ended_session)
{
    struct sessions_entry *session = sessions_find_by_conn(core->sessions, conn);
    if (session == NULL) {
        return;
    }
    if (session->pid == SESSIONS_FOREIGN_PID) { /* nobody else tells of its end */
        sessions_remove(core->sessions, session);
        return;
    }
    sessions_close_core_end(core->sessions, session);
    if (has_ended_session && session->end_by_ms == 0) {
        sessions_set_end(core->sessions, session, clock_steady_ms() + GATE_CORE_END_MS);
    }
}

/* Takes over a session that a gate which has died had handed over to the core. Takes the socket. */
static void inherit_session(struct gate_core *core, json_t *message, int socket)
{
    struct sessions_entry session = {.pid = SESSIONS_FOREIGN_PID,
                                     .opened_ms = clock_steady_ms(),
                                     .signed_in_fd = -1,
                                     .log_fd = -1,
                                     .process_fd = -1};
    json_int_t conn = 0;
    const char *address = NULL;
    const char *transport = NULL;
    if (json_unpack(message, "{s:I, s:s, s:s}", "conn", &conn, "address", &address, "transport",
                    &transport) != 0 ||
        strlen(address) >= sizeof(session.address) || sessions_is_full(core->sessions) ||
        sessions_find_by_conn(core->sessions, conn) != NULL) {
        fd_close(socket);
        return;
    }
    session.conn = conn;
    session.is_telnet = strcmp(transport, "telnet") == 0;
    session.source = limits_source_of_address(address);
    session.core_end = separation_keep_from_children(socket);
    (void)snprintf(session.address, sizeof(session.address), "%s", address);
    (void)sessions_add(core->sessions, &session);
    log_pairs(LOG_LEVEL_INFO, conn, "inherit", LOG_PAIRS("address", address));
}

static void handle_welcome(struct gate_core *core, UNUSED const json_t *message)
{
    restart_session_handover(core, GATE_CORE_HANDING_OVER);
}

static void handle_resync(struct gate_core *core, UNUSED const json_t *message)
{
    restart_session_handover(core, GATE_CORE_SILENT);
}

/* Passes the news on to all sessions, through the gate's copies of the core's ends. */
static void tell_sessions(struct gate_core *core, const char *news)
{
    const struct sessions_entry *session;
    SESSIONS_EACH(session, core->sessions) {
        if (session->core_end >= 0) {
            house_away_tell(session->core_end, news);
        }
    }
}

static void handle_away(struct gate_core *core, const json_t *message)
{
    bool was_waiting = core->is_waiting;
    core->is_waiting = json_is_true(json_object_get(message, "waits"));
    if (!core->is_waiting) {
        tell_sessions(core, HOUSE_IS_AWAY);
    } else if (!was_waiting) {
        tell_sessions(core, HOUSE_WAITS); /* later sessions are told when they begin */
    }
}

static void handle_back(struct gate_core *core, UNUSED const json_t *message)
{
    core->is_waiting = false;
    tell_sessions(core, HOUSE_IS_BACK);
}

static void handle_banned_nets(struct gate_core *core, const json_t *message)
{
    banned_nets_replace_from_message(&core->banned, message);
}

static void handle_drop(struct gate_core *core, const json_t *message)
{
    drop_connection(core, json_integer_value(json_object_get(message, "conn")),
                    json_is_true(json_object_get(message, "end")));
}

/* Takes the socket that came with the message, unless it is -1. */
static void handle_message(struct gate_core *core, const char *bytes, size_t len, int socket)
{
    static const struct {
        const char *type;
        void (*take)(struct gate_core *core, const json_t *message);
    } pushes[] = {
        {"barred", handle_banned_nets}, {"drop", handle_drop},     {"house_away", handle_away},
        {"house_back", handle_back},    {"resync", handle_resync}, {"welcome", handle_welcome},
    };
    json_t *message = json_read_object(bytes, len);
    const char *type = json_read_type(message);
    if (type[0] == '\0') {
        log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed message");
    }
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(core, message);
        }
    }
    if (socket >= 0) {
        inherit_session(core, message, socket);
    }
    json_decref(message);
}

bool gate_core_receive(struct gate_core *core)
{
    char buffer[PACKET_MAX];
    size_t len = 0;
    int socket = -1;
    enum packet_result received;
    while ((received = packet_receive(core->socket, buffer, &len, &socket)) == PACKET_OK) {
        handle_message(core, buffer, len, socket);
    }
    return received == PACKET_AGAIN && gate_core_send_new_sessions(core);
}

bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t event_id,
                           int operation)
{
    struct epoll_event event = {.events = events, .data.u64 = event_id};
    return epoll_ctl(gate->epoll, operation, fd, &event) == 0 ||
           log_failure("cannot watch a descriptor");
}

enum {
    ACCEPTS_PER_PASS = 16 /* most connections accepted in one pass of the gate's loop */
};

static void accept_from(struct gate *gate, const struct listener *listener)
{
    struct gate_client client = {.is_telnet = listener->is_telnet};
    socklen_t len = sizeof(client.address);
    client.socket = accept4(listener->socket, (struct sockaddr *)&client.address, &len,
                            SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client.socket >= 0 && listener->is_proxied) {
        gate_proxy_add(gate, client.socket, client.is_telnet, &client.address);
    } else if (client.socket >= 0) {
        gate_admit_client(gate, &client);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
        log_failure("cannot accept");
        gate_set_listening(gate, false);
    }
}

/* Accepts waiting connections, unless the gate pauses: at most a few, so that signals and the core
 * are handled even in a flood. Call gate_core_send_new_sessions afterwards. */
static void gate_accept_waiting_connections(struct gate *gate)
{
    /* an ending gate has closed its listeners, but they may still cause events: a session that was
     * just forked may keep one open for a moment */
    int tries = gate->listeners.count > 0 ? ACCEPTS_PER_PASS : 0;
    for (int i = 0; i < tries && gate->paused_until_ms == 0; i++) {
        accept_from(gate, &gate->listeners.list[(size_t)i % gate->listeners.count]);
    }
}

enum {
    EVENTS_PER_PASS = 64,
    STOP_TIMEOUT_MS = 2000,
};

static void watch_core_socket_or_stop(struct gate *gate, bool is_open)
{
    if (!is_open) {
        if (!gate->is_stopping) {
            log_event(LOG_LEVEL_ERROR, 0, "the core's socket is closed");
            gate->is_stopping = true;
        }
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, gate->core.socket,
                  NULL); /* the socket stays readable at end-of-file, so it must not be watched */
        return;
    }
    uint32_t events = gate->core.has_more ? EPOLLIN | EPOLLOUT : EPOLLIN;
    gate_watch_descriptor(gate, gate->core.socket, events, WATCH_CORE, EPOLL_CTL_MOD);
}

static void read_signals(struct gate *gate)
{
    struct signalfd_siginfo info;
    bool has_exits = false;
    while (read(gate->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGUSR1) {
            gate->is_reloading = gate->is_renewable && gate->settings >= 0;
        } else if (info.ssi_signo == SIGUSR2) {
            log_pairs(LOG_LEVEL_INFO, 0, "unlisten", LOG_PAIRS(NULL));
            stop_listening(gate);
            gate->is_renewable = false; /* without listeners there is nothing to renew */
        } else if (info.ssi_signo == SIGCHLD) {
            has_exits = true;
        } else {
            gate->is_stopping = true;
        }
    }
    if (has_exits) {
        gate_reap_sessions(gate);
    }
}

static void handle_session_event(struct gate *gate, uint64_t event_id)
{
    struct sessions_entry *session = &gate->sessions.entries[(event_id - WATCH_SESSION) / 2];
    bool is_log = (event_id - WATCH_SESSION) % 2 != 0;
    (is_log ? gate_log_relay_lines : gate_read_sign_in)(gate, session);
}

static void handle_epoll_event(struct gate *gate, uint64_t event_id)
{
    switch (event_id) {
    case WATCH_SIGNALS:
        read_signals(gate);
        break;
    case WATCH_CORE:
        watch_core_socket_or_stop(gate, gate_core_receive(&gate->core));
        break;
    case WATCH_LISTEN:
        read_signals(gate); /* handle ended sessions first: after a crash of a session nobody may
                               enter before the gate is renewed (gate.h) */
        gate_accept_waiting_connections(gate);
        watch_core_socket_or_stop(gate, gate_core_send_new_sessions(&gate->core));
        break;
    default:
        if (event_id < WATCH_SESSION) {
            gate_proxy_read_header(gate, (size_t)(event_id - WATCH_PROXY));
        } else {
            handle_session_event(gate, event_id);
        }
        break;
    }
}

static void handle_next_events(struct gate *gate, int timeout_ms)
{
    struct epoll_event events[EVENTS_PER_PASS];
    life_give_sign(&gate->metrics, LIFE_WAITS);
    int count = epoll_wait(gate->epoll, events, EVENTS_PER_PASS, timeout_ms);
    life_give_sign(&gate->metrics, LIFE_WORKS);
    for (int i = 0; i < count; i++) {
        handle_epoll_event(gate, events[i].data.u64);
    }
}

/* Does the timed work that is due. Returns the time until more timed work is due, or until the next
 * sign of life, in ms. */
static int do_timed_work(struct gate *gate)
{
    int64_t now_ms = clock_steady_ms();
    const int64_t waits_ms[] = {
        gate_renew_due_in_ms(gate, now_ms), gate_kill_overdue_sessions(gate, now_ms),
        gate_log_resume_paused(gate, now_ms), gate_cpu_measure_sessions(gate, now_ms),
        gate_proxy_due_in_ms(gate, now_ms)};
    int64_t wait_ms = gate->paused_until_ms != 0 ? GATE_PAUSE_MS : LIFE_EVERY_MS;
    for (size_t i = 0; i < ARRAY_LEN(waits_ms); i++) {
        if (waits_ms[i] >= 0 && waits_ms[i] < wait_ms) {
            wait_ms = waits_ms[i];
        }
    }
    return (int)wait_ms;
}

/* Admits clients whose proxies have told their addresses. */
static void finish_proxied_connections(struct gate *gate)
{
    if (gate_proxy_due_in_ms(gate, clock_steady_ms()) != 0) {
        return;
    }
    read_signals(gate); /* as for WATCH_LISTEN */
    if (!gate->is_stopping) {
        gate_proxy_finish(gate, clock_steady_ms());
        watch_core_socket_or_stop(gate, gate_core_send_new_sessions(&gate->core));
    }
}

static void serve_until_stopped(struct gate *gate)
{
    while (!gate->is_stopping) {
        handle_next_events(gate, do_timed_work(gate));
        if (!gate->is_stopping) {
            gate_renew(gate, clock_steady_ms());
        }
        if (gate->paused_until_ms != 0 && clock_steady_ms() >= gate->paused_until_ms) {
            gate_set_listening(gate, true);
        }
        finish_proxied_connections(gate);
    }
}

static void signal_sessions(const struct gate *gate, int signal_number)
{
    const struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        kill(session->pid, signal_number);
    }
}

static void end_sessions(struct gate *gate)
{
    stop_listening(gate);
    signal_sessions(gate, SIGTERM);
    int64_t deadline_ms = clock_steady_ms() + STOP_TIMEOUT_MS;
    while (gate->sessions.count > 0 && clock_steady_ms() < deadline_ms) {
        handle_next_events(gate, (int)(deadline_ms - clock_steady_ms()));
    }
    signal_sessions(gate, SIGKILL);
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        (void)waitpid(session->pid, NULL, 0);
    }
}

/* Raises this process's limit on open descriptors. */
static void raise_descriptor_limit(size_t sessions_max)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)sessions_max * GATE_DESCRIPTORS_EACH + GATE_DESCRIPTORS_SPARE;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
            log_event(LOG_LEVEL_WARN, 0,
                      "%zu sessions need %llu open files in the gate, but %llu are allowed "
                      "(RLIMIT_NOFILE)",
                      sessions_max, (unsigned long long)wanted, (unsigned long long)limit.rlim_cur);
        }
    }
}

static bool watch_descriptors(struct gate *gate)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGUSR2);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    gate->epoll = epoll_create1(EPOLL_CLOEXEC);
    gate->exits = epoll_create1(EPOLL_CLOEXEC);
    gate->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    if (gate->epoll < 0 || gate->exits < 0 || gate->signals < 0) {
        return log_failure("cannot wait for events");
    }
    bool is_watching =
        gate_watch_descriptor(gate, gate->signals, EPOLLIN, WATCH_SIGNALS, EPOLL_CTL_ADD) &&
        gate_watch_descriptor(gate, gate->core.socket, EPOLLIN, WATCH_CORE, EPOLL_CTL_ADD);
    for (size_t i = 0; i < gate->listeners.count && is_watching; i++) {
        is_watching = gate_watch_descriptor(gate, gate->listeners.list[i].socket, EPOLLIN,
                                            WATCH_LISTEN, EPOLL_CTL_ADD);
    }
    return is_watching && gate_proxy_watch_all(gate);
}

static void report_readiness(struct gate *gate)
{
    life_give_sign(&gate->metrics, LIFE_WAITS); /* before anybody is told that people can connect */
    if (gate->ready_fd >= 0) {
        if (!ports_write(gate->ready_fd, &gate->ports)) {
            log_event(LOG_LEVEL_WARN, 0, "cannot report the ports that the gate listens on");
        }
        fd_close_and_reset(&gate->ready_fd);
    }
}

static void free_gate_members(struct gate *gate)
{
    stop_listening(gate);
    gate_proxy_clear(gate);
    fd_close(gate->epoll);
    fd_close(gate->exits);
    fd_close(gate->signals);
    sessions_clear(&gate->sessions);
    metrics_page_close(gate->metrics.page);
    free(gate->rate);
    free(gate->host_key);
    free(gate->session_user);
    confinement_free(gate->confinement);
    warm_free(gate->warm);
    sshd_host_free(gate->host);
}

/* Prepares what every session needs but the gate's image (gate.h) does not hold. The program
 * must prepare this at every start. Returns false with a line on the log. */
static bool prepare_to_fork_sessions(struct gate *gate)
{
    raise_descriptor_limit(gate->sessions.max);
    zones_load();
    gate->host = sshd_host_new(gate->host_key, &gate->config);
    gate->confinement = confinement_new(gate->session_user);
    gate->command_line = process_find_command_line();
    gate->began_ms = clock_steady_ms();
    if (gate->host != NULL && gate->confinement != NULL) {
        gate->warm = warm_up_shared_memory(gate->host);
    }
    return gate->warm != NULL;
}

/* Serves until the gate must stop; returns the exit status. */
static int serve_and_clean_up(struct gate *gate)
{
    int status = 1;
    if (prepare_to_fork_sessions(gate) && watch_descriptors(gate) && gate_watch_sessions(gate)) {
        report_readiness(gate);
        watch_core_socket_or_stop(gate, gate_core_send_new_sessions(&gate->core));
        gate_reap_sessions(gate); /* sessions may have died before we watched for signals */
        serve_until_stopped(gate);
        end_sessions(gate);
        status = 0;
    }
    free_gate_members(gate);
    return status;
}

static bool hide_metrics_from_sessions(struct gate *gate)
{
    return metrics_page_hide_from_children(gate->metrics.page) ||
           log_failure("the metrics cannot be hidden from the sessions");
}

/* Maps the page of metrics again after an exec. The page is in the data folder, as the host key is.
 * Without a page the gate works all the same. */
static bool reopen_metrics(struct gate *gate)
{
    char *host_key = must_copy_text(gate->host_key);
    gate->metrics.page = metrics_page_open(dirname(host_key));
    free(host_key);
    if (gate->metrics.page == NULL && errno != ENOENT) {
        log_failure("the gate counts nothing");
    }
    return hide_metrics_from_sessions(gate);
}

int gate_run(const struct gate_setup *setup)
{
    process_set_name("gate");
    struct gate gate = {
        .config = *setup->config,
        .host_key = must_copy_text(setup->host_key),
        .session_user = must_copy_text(setup->session_user),
        .is_renewable = setup->is_renewable,
        .next_conn = setup->first_conn,
        .rate = must_allocate(sizeof(*gate.rate)),
        .core.socket = setup->core_socket,
        .core.sessions = &gate.sessions,
        .epoll = -1,
        .signals = -1,
        .exits = -1,
        .ready_fd = setup->ready_fd,
        .settings = setup->settings,
        .metrics = setup->metrics,
    };
    sessions_init(&gate.sessions, gate.config.limits_sessions);
    gate_proxy_init(&gate);

    /* after this the gate cannot listen on ports below 1024 any more */
    if (!start_listening(&gate, setup) ||
        !(rights_give_up_capabilities() || log_failure("cannot give up root's privileges")) ||
        !hide_metrics_from_sessions(&gate)) {
        free_gate_members(&gate);
        return 1;
    }
    gate.is_suspect = true; /* all processes forked from the supervisor share its memory layout; the
                               next exec gives the gate a new layout */
    gate_renew(&gate, clock_steady_ms());
    gate.is_suspect = false;
    return serve_and_clean_up(&gate);
}

int gate_resume(int image_fd)
{
    struct gate gate;
    process_set_name("gate");
    prctl(PR_SET_DUMPABLE, 0); /* an exec makes a process dumpable again */
    if (!gate_image_load(&gate, image_fd) || !reopen_metrics(&gate)) {
        free_gate_members(&gate);
        return 1;
    }
    if (gate.ready_fd < 0) {
        gate.renewals++;
        log_pairs(LOG_LEVEL_INFO, 0, "renewed",
                  LOG_PAIRS("renewals", LOG_NUMBER(gate.renewals), "sessions",
                            LOG_NUMBER(gate.sessions.count)));
    }
    return serve_and_clean_up(&gate);
}
