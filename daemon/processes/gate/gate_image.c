#include "daemon/processes/gate/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        .process_fd = -1, /* gate_watch_sessions opens it */
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
        gate->proxied_count++;
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
    gate->core.sessions = &gate->sessions;
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
    static const struct gate empty = {.epoll = -1,
                                      .signals = -1,
                                      .exits = -1,
                                      .ready_fd = -1,
                                      .settings = -1,
                                      .metrics.process = LIFE_GATE};
    *gate = empty;
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

int64_t gate_renew_due_in_ms(const struct gate *gate, int64_t now_ms)
{
    if (!gate->is_renewable) {
        return -1;
    }
    if (gate->is_reloading) {
        return 0;
    }
    int64_t due_ms =
        gate->began_ms + (gate->is_suspect ? GATE_RENEW_PAUSE_MS : GATE_RENEW_DAILY_MS);
    return due_ms > now_ms ? due_ms - now_ms : 0;
}

void gate_renew(struct gate *gate, int64_t now_ms)
{
    if (gate_renew_due_in_ms(gate, now_ms) != 0) {
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
