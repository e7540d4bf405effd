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
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE_MS 1000

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
    int fd = listen_at(address->ai_addr, address->ai_addrlen, backlog);
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
    for (size_t i = 0; i < gate->listeners.count && gate->base != NULL; i++) {
        event_del(&gate->listening[i]);
    }
    listeners_close(&gate->listeners);
}

void gate_watch(struct gate *gate, struct event *event, int fd, short what,
                event_callback_fn callback, void *context)
{
    if (event_assign(event, gate->base, fd, what, callback, context) != 0 ||
        event_add(event, NULL) != 0) {
        log_failure("cannot watch a descriptor");
    }
}

void gate_set_listening(struct gate *gate, bool is_listening)
{
    for (size_t i = 0; i < gate->listeners.count; i++) {
        if (is_listening) {
            loop_begin(&gate->listening[i]);
        } else {
            event_del(&gate->listening[i]);
        }
    }
    gate->is_paused = !is_listening;
    if (is_listening) {
        gate_proxy_continue_all(gate);
    } else {
        loop_begin_ms(&gate->pause, PAUSE_MS);
    }
}

static enum packet_result send_message(const struct gate *gate, const char *text, int fd_to_pass)
{
    return packet_send(gate->core.socket, text, strlen(text), fd_to_pass);
}

static enum packet_result send_session(const struct gate *gate, struct sessions_entry *session)
{
    char text[256];
    snprintf(text, sizeof(text),
             "{\"t\":\"connection\",\"conn\":%" PRId64
             ",\"address\":\"%s\",\"transport\":\"%s\"%s}",
             session->conn, session->address, session->is_telnet ? "telnet" : "ssh",
             session->signed_in_fd < 0 ? ",\"signed_in\":true" : "");
    enum packet_result result = send_message(gate, text, session->core_end);
    session->is_told = result == PACKET_OK;
    return result;
}

/* Tells the core about the sessions that it does not know yet. Returns PACKET_OK once the core
 * knows all sessions. */
static enum packet_result send_new_sessions(struct gate *gate)
{
    struct sessions_entry *session;
    enum packet_result result = PACKET_OK;
    SESSIONS_EACH(session, &gate->sessions) {
        if (result == PACKET_OK && !session->is_told && session->core_end >= 0) {
            result = send_session(gate, session);
        }
    }
    return result;
}

/* Waits until a full socket has room, or stops the gate if the socket is closed. */
static void handle_core_result(struct gate *gate, enum packet_result result)
{
    if (result == PACKET_AGAIN) {
        loop_begin(&gate->core.writable);
    } else if (result != PACKET_OK) {
        if (!gate->is_stopping) {
            log_event(LOG_LEVEL_ERROR, 0, "the core's socket is closed");
        }
        gate->is_stopping = true;
        event_del(&gate->core.readable); /* it stays readable at end-of-file */
    }
}

void gate_core_tell(struct gate *gate)
{
    enum packet_result result = PACKET_OK;
    struct gate_core *core = &gate->core;
    char hello[128];
    (void)snprintf(
        hello, sizeof(hello), "{\"t\":\"hello\",\"protocol\":%d,\"software\":\"trickhouse %s\"%s}",
        PROTOCOL_NUMBER, TRICKHOUSE_VERSION, gate->sessions.count == 0 ? ",\"inherits\":true" : "");
    if (core->state == GATE_CORE_SILENT) {
        result = send_message(gate, hello, -1);
        core->state = result == PACKET_OK ? GATE_CORE_GREETED : core->state;
    }
    if (core->state >= GATE_CORE_HANDING_OVER) {
        result = send_new_sessions(gate);
    }
    if (core->state == GATE_CORE_HANDING_OVER && result == PACKET_OK) {
        result = send_message(gate, "{\"t\":\"connections_end\"}", -1);
        core->state = result == PACKET_OK ? GATE_CORE_LIVE : core->state;
    }
    handle_core_result(gate, result);
}

void gate_core_tell_of(struct gate *gate, struct sessions_entry *session)
{
    if (gate->core.state == GATE_CORE_LIVE &&
        event_pending(&gate->core.writable, EV_WRITE, NULL) == 0) {
        handle_core_result(gate, send_session(gate, session));
    }
}

/* Prepares for a core that is new or has lost its state: the gate must tell that core about every
 * session again. */
static void restart_session_handover(struct gate *gate, enum gate_core_state new_state)
{
    struct sessions_entry *session;
    gate->core.state = new_state;
    gate->core.is_waiting = false;
    SESSIONS_EACH(session, &gate->sessions) {
        session->is_told = false;
    }
}

/* Takes over a session that a gate which has died had handed over to the core. Takes the socket. */
static void inherit_session(struct gate *gate, json_t *message, int socket)
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
        strlen(address) >= sizeof(session.address) || sessions_is_full(&gate->sessions) ||
        sessions_find_by_conn(&gate->sessions, conn) != NULL) {
        fd_close(socket);
        return;
    }
    session.conn = conn;
    session.is_telnet = strcmp(transport, "telnet") == 0;
    session.source = limits_source_of_address(address);
    session.core_end = separation_keep_from_children(socket);
    (void)snprintf(session.address, sizeof(session.address), "%s", address);
    gate_core_tell_of(gate, sessions_add(&gate->sessions, &session));
    log_pairs(LOG_LEVEL_INFO, conn, "inherit", LOG_PAIRS("address", address));
}

static void handle_welcome(struct gate *gate, UNUSED const json_t *message)
{
    restart_session_handover(gate, GATE_CORE_HANDING_OVER);
}

static void handle_resync(struct gate *gate, UNUSED const json_t *message)
{
    restart_session_handover(gate, GATE_CORE_SILENT);
}

/* Passes the news on to all sessions, through the gate's copies of the core's ends. */
static void tell_sessions(struct gate *gate, const char *news)
{
    const struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        if (session->core_end >= 0) {
            house_away_tell(session->core_end, news);
        }
    }
}

static void handle_away(struct gate *gate, const json_t *message)
{
    bool was_waiting = gate->core.is_waiting;
    gate->core.is_waiting = json_is_true(json_object_get(message, "waits"));
    if (!gate->core.is_waiting) {
        tell_sessions(gate, HOUSE_IS_AWAY);
    } else if (!was_waiting) {
        tell_sessions(gate, HOUSE_WAITS); /* later sessions are told when they begin */
    }
}

static void handle_back(struct gate *gate, UNUSED const json_t *message)
{
    gate->core.is_waiting = false;
    tell_sessions(gate, HOUSE_IS_BACK);
}

static void handle_banned_nets(struct gate *gate, const json_t *message)
{
    banned_nets_replace_from_message(&gate->core.banned, message);
}

static void handle_drop(struct gate *gate, const json_t *message)
{
    struct sessions_entry *session = sessions_find_by_conn(
        &gate->sessions, json_integer_value(json_object_get(message, "conn")));
    if (session != NULL && session->pid == SESSIONS_FOREIGN_PID) {
        sessions_remove(&gate->sessions, session); /* nobody else tells of its end */
    } else if (session != NULL) {
        sessions_drop(session, json_is_true(json_object_get(message, "end")));
    }
}

/* Takes the socket that came with the message, unless it is -1. */
static void handle_message(struct gate *gate, const char *bytes, size_t len, int socket)
{
    static const struct {
        const char *type;
        void (*take)(struct gate *gate, const json_t *message);
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
            pushes[i].take(gate, message);
        }
    }
    if (socket >= 0) {
        inherit_session(gate, message, socket);
    }
    json_decref(message);
}

void gate_core_receive(struct gate *gate)
{
    char buffer[PACKET_MAX];
    size_t len = 0;
    int socket = -1;
    enum packet_result received;
    while ((received = packet_receive(gate->core.socket, buffer, &len, &socket)) == PACKET_OK) {
        handle_message(gate, buffer, len, socket);
    }
    if (received != PACKET_AGAIN) {
        handle_core_result(gate, received);
    } else if (gate->core.state != GATE_CORE_LIVE) {
        gate_core_tell(gate);
    }
}

/* The names of members in the image. A newer program reads the image of an older one, so the
 * meaning of a name never changes. What an image lacks is 0 or false. Raw bytes of structs are only
 * read by the version that wrote them; another version ignores them. */

static json_int_t read_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool read_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static json_t *session_to_json(const struct sessions_entry *session)
{
    return json_pack("{s:i, s:b, s:I, s:I, s:i, s:i, s:b, s:s, s:I, s:i, s:b}", "pid",
                     (int)session->pid, "is_telnet", session->is_telnet, "conn",
                     (json_int_t)session->conn, "opened_ms", (json_int_t)session->opened_ms,
                     "core_end", session->core_end, "signed_in_fd", session->signed_in_fd,
                     "is_told", session->is_told, "address", session->address, "end_by_ms",
                     (json_int_t)session->end_by_ms, "log_fd", session->log_fd, "awaits_separation",
                     session->awaits_separation);
}

static bool session_from_json(const json_t *json, struct sessions_entry *session)
{
    const char *address = json_string_value(json_object_get(json, "address"));
    *session = (struct sessions_entry){
        .pid = (pid_t)read_number(json, "pid"),
        .is_telnet = read_flag(json, "is_telnet"),
        .conn = read_number(json, "conn"),
        .opened_ms = read_number(json, "opened_ms"),
        .core_end = (int)read_number(json, "core_end"),
        .signed_in_fd = (int)read_number(json, "signed_in_fd"),
        .log_fd = (int)read_number(json, "log_fd"),
        .process_fd = -1, /* sessions_watch opens it */
        .is_told = read_flag(json, "is_told"),
        .end_by_ms = read_number(json, "end_by_ms"),
        .awaits_separation = read_flag(json, "awaits_separation"),
    };
    if (session->pid <= 0 || address == NULL || strlen(address) >= sizeof(session->address)) {
        return false;
    }
    memcpy(session->address, address, strlen(address) + 1);
    session->source = limits_source_of_address(address);
    return true;
}

static json_t *sessions_to_json(const struct sessions *sessions)
{
    json_t *array = json_array();
    const struct sessions_entry *session;
    SESSIONS_EACH(session, sessions) {
        (void)json_array_append_new(array, session_to_json(session));
    }
    return array;
}

static bool sessions_from_json(const json_t *array, struct sessions *sessions)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *json = json_array_get(array, i);
        struct sessions_entry session;
        if (sessions_is_full(sessions) || !session_from_json(json, &session)) {
            return false;
        }
        (void)sessions_add(sessions, &session);
    }
    return true;
}

static json_t *proxied_to_json(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < GATE_PROXY_WAITING_MAX; i++) {
        const struct gate_proxied *proxied = &gate->proxied[i];
        if (proxied->socket != 0) {
            (void)json_array_append_new(
                array, json_pack("{s:i, s:b, s:I, s:s, s:o}", "socket", proxied->socket,
                                 "is_telnet", proxied->is_telnet, "due_ms",
                                 (json_int_t)proxied->due_ms, "proxy", proxied->proxy, "header",
                                 image_bytes_to_json(proxied->header.bytes, proxied->header.len)));
        }
    }
    return array;
}

/* Restores connections that wait for their proxy's header. */
static bool proxied_from_json(const json_t *array, struct gate *gate)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *json = json_array_get(array, i);
        const json_t *header = json_object_get(json, "header");
        const char *proxy = json_string_value(json_object_get(json, "proxy"));
        struct gate_proxied *proxied = &gate->proxied[i];
        size_t len = json_string_length(header) / 2;
        if (i == GATE_PROXY_WAITING_MAX || proxy == NULL ||
            strlen(proxy) >= sizeof(proxied->proxy) || len > PROXY_HEADER_MAX ||
            !image_bytes_from_json(header, proxied->header.bytes, len)) {
            return false;
        }
        proxied->socket = (int)read_number(json, "socket");
        proxied->is_telnet = read_flag(json, "is_telnet");
        proxied->due_ms = read_number(json, "due_ms");
        proxied->header.len = len;
        memcpy(proxied->proxy, proxy, strlen(proxy) + 1);
    }
    return true;
}

/* `settings` is a list that gate_settings_to_json made; NULL: those of the gate. */
static json_t *gate_to_json(const struct gate *gate, json_t *settings)
{
    json_t *config =
        settings != NULL ? json_incref(settings) : gate_settings_to_json(&gate->config);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:s?, "
                     "s:i, s:o, s:o}",
                     "version", TRICKHOUSE_VERSION, "config", config, "rate",
                     image_bytes_to_json(gate->rate, sizeof(*gate->rate)), "sessions",
                     sessions_to_json(&gate->sessions), "listeners",
                     listeners_to_json(&gate->listeners), "sessions_max",
                     (json_int_t)gate->sessions.max, "next_conn", (json_int_t)gate->next_conn,
                     "core_socket", gate->core.socket, "core_state", (int)gate->core.state,
                     "settings", gate->settings, "ready_fd", gate->ready_fd, "port_ssh",
                     gate->ports.ssh, "port_telnet", gate->ports.telnet, "host_key", gate->host_key,
                     "session_user", gate->session_user, "renewals", (int)gate->renewals, "barred",
                     image_bytes_to_json(&gate->core.banned, sizeof(gate->core.banned)), "proxied",
                     proxied_to_json(gate));
}

/* Restores structs that were saved as raw bytes. If another version of the program saved them, they
 * start empty. */
static void restore_raw_structs(const json_t *root, struct gate *gate)
{
    const char *version = json_string_value(json_object_get(root, "version"));
    bool is_same = version != NULL && strcmp(version, TRICKHOUSE_VERSION) == 0;
    if (!is_same ||
        !image_bytes_from_json(json_object_get(root, "rate"), gate->rate, sizeof(*gate->rate))) {
        *gate->rate = (struct limits_rate){0};
    }
    if (!is_same || !image_bytes_from_json(json_object_get(root, "barred"), &gate->core.banned,
                                           sizeof(gate->core.banned))) {
        gate->core.banned.count = 0; /* no network is banned until the core sends the list again */
    }
}

static bool restore_numbers_and_flags(const json_t *root, struct gate *gate)
{
    json_int_t sessions_max = read_number(root, "sessions_max");
    json_int_t core_state = read_number(root, "core_state");
    if (sessions_max <= 0 || core_state < GATE_CORE_SILENT || core_state > GATE_CORE_LIVE) {
        return false;
    }
    sessions_init(&gate->sessions, (size_t)sessions_max);
    gate->next_conn = read_number(root, "next_conn");
    gate->core.socket = (int)read_number(root, "core_socket");
    gate->core.state = (enum gate_core_state)core_state;
    gate->settings = (int)read_number(root, "settings");
    gate->ready_fd = (int)read_number(root, "ready_fd");
    gate->ports.ssh = (uint16_t)read_number(root, "port_ssh");
    gate->ports.telnet = (uint16_t)read_number(root, "port_telnet");
    gate->is_renewable = true; /* or it would not have been renewed */
    gate->renewals = (unsigned)read_number(root, "renewals");
    return true;
}

static bool gate_from_json(const json_t *root, struct gate *gate)
{
    gate->rate = must_allocate(sizeof(*gate->rate));
    gate_proxy_init(gate);
    if (!restore_numbers_and_flags(root, gate) ||
        !sessions_from_json(json_object_get(root, "sessions"), &gate->sessions) ||
        !listeners_from_json(json_object_get(root, "listeners"), &gate->listeners) ||
        gate->listeners.count == 0 || !proxied_from_json(json_object_get(root, "proxied"), gate)) {
        return false;
    }
    gate->config = config_make_default();
    gate_settings_from_json(json_object_get(root, "config"), &gate->config);
    restore_raw_structs(root, gate);
    gate->host_key = must_copy_text(json_string_value(json_object_get(root, "host_key")));
    gate->session_user = must_copy_text(json_string_value(json_object_get(root, "session_user")));
    return gate->host_key != NULL;
}

static void set_descriptors_kept_across_exec(const struct gate *gate, bool is_kept)
{
    image_set_kept_across_exec(gate->core.socket, is_kept);
    image_set_kept_across_exec(gate->ready_fd, is_kept);
    image_set_kept_across_exec(gate->settings, is_kept);
    listeners_set_kept_across_exec(&gate->listeners, is_kept);
    for (size_t i = 0; i < GATE_PROXY_WAITING_MAX; i++) {
        if (gate->proxied[i].socket != 0) {
            image_set_kept_across_exec(gate->proxied[i].socket, is_kept);
        }
    }
    const struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        image_set_kept_across_exec(session->core_end, is_kept);
        image_set_kept_across_exec(session->signed_in_fd, is_kept);
        image_set_kept_across_exec(session->log_fd, is_kept);
    }
}

int gate_image_save(const struct gate *gate, json_t *settings)
{
    int image_fd = image_save_to_memory_file(gate_to_json(gate, settings));
    if (image_fd >= 0) {
        set_descriptors_kept_across_exec(gate, true);
    }
    return image_fd;
}

void gate_image_cancel(const struct gate *gate, int image_fd)
{
    set_descriptors_kept_across_exec(gate, false);
    close(image_fd);
}

bool gate_image_load(struct gate *gate, int image_fd)
{
    *gate =
        (struct gate){.signals = -1, .ready_fd = -1, .settings = -1, .metrics.process = LIFE_GATE};
    json_t *root = image_load_and_close(image_fd);
    bool is_loaded = gate_from_json(root, gate);
    json_decref(root);
    if (!is_loaded) {
        log_event(LOG_LEVEL_ERROR, 0, "descriptor %d is not the image of a gate", image_fd);
        return false;
    }
    set_descriptors_kept_across_exec(gate, false);
    return true;
}

/* path of the running program; it stays valid even if the program's file is replaced */
#define PROGRAM "/proc/self/exe"

bool gate_renewal_is_due(const struct gate *gate, int64_t now_ms)
{
    int64_t pause_ms = gate->is_suspect ? GATE_RENEW_PAUSE_MS : GATE_RENEW_DAILY_MS;
    return gate->is_renewable && (gate->is_reloading || now_ms - gate->began_ms >= pause_ms);
}

/* If a renewal is due, executes the program again and then does not return. Returns if no renewal
 * is due, or if the exec fails: the failure is logged, and the gate continues as it is. */
static void renew_if_due(struct gate *gate)
{
    int64_t now_ms = clock_steady_ms();
    if (!gate_renewal_is_due(gate, now_ms)) {
        return;
    }
    json_t *reload = gate->is_reloading ? gate_settings_read(gate->settings) : NULL;
    const char *program = json_string_value(json_object_get(reload, "program"));
    int image_fd = gate_image_save(gate, json_object_get(reload, "settings"));
    if (image_fd >= 0) {
        char number[16];
        snprintf(number, sizeof(number), "%d", image_fd);
        char *argv[] = {(char[]){"trickhouse"}, (char[]){"gate"}, (char[]){"--image"}, number,
                        NULL};
        execv(program != NULL ? program : PROGRAM, argv);
        int error = errno;
        gate_image_cancel(gate, image_fd);
        errno = error;
    }
    log_failure("the gate cannot be renewed");
    json_decref(reload);
    gate->is_reloading = false;
    gate->is_suspect = false;
    gate->began_ms = now_ms;
}

/* The gate's loop */

enum {
    ACCEPTS_PER_PASS = 16, /* most connections accepted in one pass */
    STOP_TIMEOUT_MS = 2000,
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
 * are handled even in a flood. */
static void accept_waiting(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct gate *gate = context;
    life_give_sign(&gate->metrics, LIFE_WORKS);
    for (size_t i = 0; i < ACCEPTS_PER_PASS && !gate->is_paused; i++) {
        accept_from(gate, &gate->listeners.list[i % gate->listeners.count]);
    }
}

/* The renewal comes first: nobody may enter before it. */
static void end_pause(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct gate *gate = context;
    if (!gate->is_stopping) {
        renew_if_due(gate);
        gate_set_listening(gate, true);
    }
}

static void receive_from_core(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct gate *gate = context;
    life_give_sign(&gate->metrics, LIFE_WORKS);
    gate_core_receive(gate);
}

static void tell_core(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    gate_core_tell(context);
}

static void measure_sessions(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    gate_cpu_measure_sessions(context, clock_steady_ms());
}

static void read_signals(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct gate *gate = context;
    struct signalfd_siginfo info;
    while (read(gate->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGUSR1) {
            gate->is_reloading = gate->is_renewable && gate->settings >= 0;
        } else if (info.ssi_signo == SIGUSR2) {
            log_pairs(LOG_LEVEL_INFO, 0, "unlisten", LOG_PAIRS(NULL));
            stop_listening(gate);
            gate->is_renewable = false; /* without listeners there is nothing to renew */
        } else if (info.ssi_signo == SIGCHLD) {
            sessions_reap_unwatched(gate);
        } else {
            gate->is_stopping = true;
        }
    }
}

static void run_pass(struct gate *gate)
{
    life_give_sign(&gate->metrics, LIFE_WAITS);
    event_base_loop(gate->base, EVLOOP_ONCE);
}

static void serve_until_stopped(struct gate *gate)
{
    while (!gate->is_stopping) {
        run_pass(gate);
        if (!gate->is_stopping) {
            renew_if_due(gate);
        }
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
    loop_begin_ms(&gate->pause, STOP_TIMEOUT_MS); /* ends the last pass */
    while (gate->sessions.count > 0 && clock_steady_ms() < deadline_ms) {
        run_pass(gate);
    }
    signal_sessions(gate, SIGKILL);
    struct sessions_entry *session;
    SESSIONS_EACH(session, &gate->sessions) {
        (void)waitpid(session->pid, NULL, 0);
    }
}

/* The supervisor has raised the limit as far as it may be raised. */
static void check_descriptor_limit(size_t sessions_max)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)sessions_max * GATE_DESCRIPTORS_EACH + GATE_DESCRIPTORS_SPARE;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        log_event(LOG_LEVEL_WARN, 0,
                  "%zu sessions need %llu open files in the gate, but %llu are allowed "
                  "(RLIMIT_NOFILE)",
                  sessions_max, (unsigned long long)wanted, (unsigned long long)limit.rlim_cur);
    }
}

/* Waits from now on for everything but new connections. Returns false with a line on the log. */
static bool open_signals_and_loop(struct gate *gate)
{
    const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
    sigset_t mask;
    sigemptyset(&mask);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        sigaddset(&mask, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &mask, NULL);
    gate->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    gate->base = event_base_new();
    if (gate->signals < 0 || gate->base == NULL || event_base_priority_init(gate->base, 2) != 0) {
        return log_failure("cannot wait for events");
    }
    gate_watch(gate, &gate->signalled, gate->signals, EV_READ | EV_PERSIST, read_signals, gate);
    event_priority_set(&gate->signalled, 0);
    gate_watch(gate, &gate->core.readable, gate->core.socket, EV_READ | EV_PERSIST,
               receive_from_core, gate);
    event_assign(&gate->core.writable, gate->base, gate->core.socket, EV_WRITE, tell_core, gate);
    evtimer_assign(&gate->pause, gate->base, end_pause, gate);
    event_assign(&gate->tick, gate->base, -1, EV_PERSIST, measure_sessions, gate);
    loop_begin_ms(&gate->tick, LIFE_EVERY_MS);
    return true;
}

/* Waits from now on for new connections, and for the sessions that there are after an exec. */
static void watch_connections(struct gate *gate)
{
    struct sessions_entry *session;
    for (size_t i = 0; i < gate->listeners.count; i++) {
        gate_watch(gate, &gate->listening[i], gate->listeners.list[i].socket, EV_READ | EV_PERSIST,
                   accept_waiting, gate);
    }
    SESSIONS_EACH(session, &gate->sessions) {
        sessions_watch(gate, session);
    }
    sessions_reap_unwatched(gate); /* some may have died before we watched for signals */
    gate_proxy_continue_all(gate);
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
    if (gate->base != NULL) {
        event_base_free(gate->base); /* while the events of the sessions are there */
    }
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
    check_descriptor_limit(gate->sessions.max);
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
    if (prepare_to_fork_sessions(gate) && open_signals_and_loop(gate)) {
        watch_connections(gate);
        report_readiness(gate);
        gate_core_tell(gate);
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
        .signals = -1,
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
    renew_if_due(&gate);
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
