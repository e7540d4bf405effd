#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"
#include "daemon/session/session.h"
#include "lobby/protocol/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
