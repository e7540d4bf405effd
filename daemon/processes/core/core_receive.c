#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/protocol/protocol.h"

#include <event2/event.h>
#include <string.h>
#include <unistd.h>

#define TYPE_MAX 32
#define ADDRESS_MAX 64
#define TRANSPORT_MAX 16

/* most packets read from one peer in a pass of the core's loop, so that no other peer waits long */
#define PACKETS_PER_PASS 16
#define PASS_US 10000 /* a pass ends after this time, so that nobody waits long for its commit */

static bool is_pass_long(const struct core *core)
{
    return clock_steady_us() - core->pass_begun_us > PASS_US;
}

static void read_packets(int socket, short events, void *context);

/* What the gate's message `connection` says. */
struct handed_over {
    int64_t conn;
    const char *address;
    const char *transport;
};

static bool read_connection(const struct link *gate, const json_t *message,
                            struct handed_over *session)
{
    session->address = json_read_text(message, "address", ADDRESS_MAX);
    session->transport = json_read_text(message, "transport", TRANSPORT_MAX);
    return session->address != NULL && session->transport != NULL &&
           json_read_number(message, "conn", CORE_CONN_SESSIONS, CORE_NODES_CONNS - 1,
                            &session->conn) &&
           core_nodes_may_hand_over(gate, session->conn);
}

/* Adds a session that the house does not know yet. The gate's message is in core->buffer. */
static void add_session(struct core *core, const struct link *gate,
                        const struct handed_over *session, int fd, size_t len)
{
    struct link *link = core_add_link(core, fd, session->conn, PEER_SESSION);
    link->gate = gate->conn;
    if (gate->conn == CORE_CONN_GATE) {
        link->opening = must_not_be_null(strndup(core->buffer, len));
    }
    log_pairs(LOG_LEVEL_INFO, session->conn, gate->is_adopting ? "adopt" : "link",
              LOG_PAIRS("transport", session->transport, "address", session->address));
    if (gate->is_adopting) {
        link_ask_to_start_over(link);
    }
    enum house_result result = house_connect(core->house, clock_unix_ms(), session->conn,
                                             PEER_SESSION, session->address, session->transport);
    core_abort_unless_written(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

/* Gives the sessions that a gate has handed over to the next gate, which began after the gate had
 * died: it will hand them over to later cores. */
static void return_sessions(struct core *core, const struct link *gate)
{
    const struct link *link = NULL;
    LIST_FOREACH(link, &core->links.all, in_all)
    {
        if (link->gate == gate->conn && link->opening != NULL && link->socket >= 0 &&
            link->end == LINK_LIVES &&
            !packet_send_waiting(gate->socket, link->opening, strlen(link->opening),
                                 link->socket)) {
            log_event(LOG_LEVEL_WARN, 0, "the gate does not take over all sessions");
            return;
        }
    }
}

/* Takes over a session from a gate: its number, its address, and the core's end of its socket. */
static void take_over_session(struct core *core, const struct link *gate, const json_t *message,
                              size_t len, int fd)
{
    struct handed_over session;
    bool is_good = read_connection(gate, message, &session);
    struct link *known = is_good ? link_find(&core->links, session.conn) : NULL;
    if (!is_good || (known == NULL && fd < 0) || (known != NULL && known->gate != gate->conn)) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate handed over a malformed connection");
        fd_close(fd);
    } else if (known == NULL) {
        add_session(core, gate, &session, fd, len);
    } else if (fd >= 0 && gate->conn != CORE_CONN_GATE && known->end == LINK_LIVES) {
        log_pairs(LOG_LEVEL_INFO, session.conn, "adopt",
                  LOG_PAIRS("transport", session.transport, "address", session.address));
        link_detach(known);
        link_attach(known, core->base, fd, read_packets);
        link_ask_to_start_over(known);
    } else {
        fd_close(fd); /* the gate has handed over this session before */
    }
}

/* Handles a message of a gate that concerns sockets. Returns true if the house gets the message
 * afterwards. */
static bool handle_gate_message(struct core *core, struct link *gate, size_t len, int fd)
{
    json_t *message = json_read_object(core->buffer, len);
    const char *type = json_read_text(message, "t", TYPE_MAX);
    bool is_end = type != NULL && strcmp(type, "connections_end") == 0;
    if (type != NULL && strcmp(type, "connection") == 0) {
        take_over_session(core, gate, message, len, fd);
    } else {
        fd_close(fd);
    }
    if (json_read_bool(message, "inherits", false)) {
        return_sessions(core, gate);
    }
    json_decref(message);
    if (is_end) {
        gate->is_adopting = false;
    }
    return !is_end || core_nodes_end_hand_over(core, gate);
}

static bool is_hello(const char *bytes, size_t len)
{
    json_t *message = json_read_request(bytes, len);
    const char *type = json_read_text(message, "t", TYPE_MAX);
    bool is_it = type != NULL && strcmp(type, "hello") == 0;
    json_decref(message);
    return is_it;
}

/* Returns false for messages that were meant for an earlier core: all before the peer's `hello`. */
static bool is_message_for_this_core(const struct core *core, struct link *link, size_t len)
{
    if (link->awaits_hello) {
        link->awaits_hello = !is_hello(core->buffer, len);
    }
    return !link->awaits_hello;
}

static void handle_packet(struct core *core, struct link *link, size_t len, int fd)
{
    if (!is_message_for_this_core(core, link, len) || core_fatal_refuse_packet(core, link, len)) {
        fd_close(fd);
        return;
    }
    if (link->kind == PEER_GATE && !handle_gate_message(core, link, len, fd)) {
        return;
    }
    enum house_result result =
        house_receive(core->house, clock_unix_ms(), link->conn, core->buffer, len);
    core_abort_unless_written(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct link *link = context;
    struct core *core = link->owner;
    bool is_careful = clock_steady_ms() < core->careful_until_ms;
    unsigned most = is_careful ? 1 : PACKETS_PER_PASS;
    core_metrics_begin_pass(core);
    if (is_careful) {
        event_base_loopbreak(core->base);
    }
    if (is_pass_long(core)) {
        event_base_loopbreak(core->base); /* the links that are left come first in the next pass */
    }
    for (unsigned i = 0; i < most && link->end == LINK_LIVES && !is_pass_long(core); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, core->buffer, &len, link->kind == PEER_GATE ? &fd : NULL)) {
        case PACKET_OK:
            handle_packet(core, link, len, fd);
            break;
        case PACKET_AGAIN:
            return;
        case PACKET_CLOSED:
            link_end(link, LINK_GONE);
            break;
        case PACKET_BAD:
            link_end(link, LINK_UNFIT);
            break;
        }
    }
}

struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind)
{
    struct link *link = link_new(&core->links, core->base, socket, conn, kind, read_packets);
    link->owner = core;
    return link;
}
