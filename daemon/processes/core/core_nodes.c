#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/protocol/protocol.h"

#include <event2/event.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEERS_PER_NODE                                                                             \
    16 /* the gate of a node has the first number of these, then come workers                      \
        */

static int64_t conn_of_gate(unsigned node)
{
    return CORE_NODES_CONNS + (int64_t)node * PEERS_PER_NODE;
}

/* Returns the node of a gate or worker of another node. */
static int64_t node_of(const struct link *link)
{
    return (link->conn - CORE_NODES_CONNS) / PEERS_PER_NODE;
}

bool core_nodes_may_hand_over(const struct link *gate, int64_t conn)
{
    return !core_nodes_is_of_other_node(gate) || conn >> NODES_CONN_SHIFT == node_of(gate);
}

static bool is_session_of_other_node(const struct link *link)
{
    return link->kind == PEER_SESSION && link->gate != CORE_CONN_GATE;
}

/* Tells the house that all gates have handed over their sessions. */
static void tell_house(struct core *core)
{
    static const char end[] = "{\"t\":\"connections_end\"}";
    core->nodes.is_awaiting = false;
    if (core->nodes.has_own_gate_ended) {
        core_abort_unless_written(
            core, house_receive(core->house, clock_unix_ms(), CORE_CONN_GATE, end, sizeof end - 1));
    }
}

static bool awaits_gates(const struct core_nodes *nodes)
{
    static const bool none[CLUSTER_NODE_MAX + 1];
    return memcmp(nodes->is_expected, none, sizeof none) != 0;
}

/* Ends a link that is away for good. */
static void let_go(struct link *link)
{
    link->has_left = true;
    link_end(link, LINK_GONE);
}

void core_nodes_look(struct core *core)
{
    int64_t now_ms = clock_steady_ms();
    struct link *link = NULL;
    LIST_FOREACH(link, &core->links.all, in_all)
    {
        if (link->socket < 0 && now_ms >= link->away_until_ms) {
            core_metrics_begin_pass(core);
            let_go(link);
        }
    }
    if (core->nodes.is_awaiting && now_ms >= core->nodes.await_until_ms) {
        core_metrics_begin_pass(core);
        tell_house(core);
    }
}

/* Ends the link of a gate or worker of another node, unless there is none. */
static void end_peer(struct core *core, int64_t conn)
{
    struct link *link = link_find(&core->links, conn);
    if (link != NULL) {
        core_abort_unless_written(core, house_disconnect(core->house, clock_unix_ms(), conn));
        link_free(link);
    }
}

static void set_away(struct core *core, struct link *link)
{
    link_detach(link);
    link->end = LINK_LIVES;
    link->is_lost = false;
    link->away_until_ms = clock_steady_ms() + CORE_NODES_AWAY_MS;
    house_note_output_dropped(core->house, link->conn);
    log_pairs(LOG_LEVEL_INFO, link->conn, "unlink", LOG_PAIRS("why", "node-lost"));
}

static void add_peer(struct core *core, int64_t conn, enum peer kind, int socket)
{
    struct link *link = core_add_link(core, socket, conn, kind);
    link->is_adopting = kind == PEER_GATE;
    core_abort_unless_written(core,
                              house_connect(core->house, clock_unix_ms(), conn, kind, "", ""));
    link_ask_to_start_over(link);
}

/* Adds the gate of another node, in place of one that was connected before: nothing of an earlier
 * connection with the node is of use any more. Takes over the socket. */
static void add_gate(struct core *core, unsigned node, int socket)
{
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_SESSION && link->gate == conn_of_gate(node) && link->socket >= 0 &&
            (link->end == LINK_LIVES || link->end == LINK_GONE)) {
            set_away(core, link);
        }
    }
    for (int64_t i = 0; i < PEERS_PER_NODE; i++) {
        end_peer(core, conn_of_gate(node) + i);
    }
    add_peer(core, conn_of_gate(node), PEER_GATE, socket);
}

/* Adds a worker ("auth" or "bot") of another node. Takes over the socket. */
static void add_worker(struct core *core, unsigned node, const char *kind, int socket)
{
    int64_t conn = conn_of_gate(node) + 1;
    while (link_find(&core->links, conn) != NULL) {
        conn++;
    }
    if (conn >= conn_of_gate(node) + PEERS_PER_NODE) {
        log_event(LOG_LEVEL_ERROR, 0, "node %u has too many workers", node);
        close(socket);
        return;
    }
    add_peer(core, conn, strcmp(kind, "auth") == 0 ? PEER_AUTH : PEER_BOT, socket);
}

/* The process of a session of another node has ended. */
static void note_session_end(struct core *core, int64_t conn)
{
    struct link *link = link_find(&core->links, conn);
    if (link == NULL || !is_session_of_other_node(link)) {
        return; /* the core has ended the link already */
    }
    link->has_left = true;
    if (link->socket < 0) {
        let_go(link);
    }
}

/* Ends the links to those sessions of a gate that it has not handed over again. */
static void end_links_left_away(struct core *core, const struct link *gate)
{
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_SESSION && link->gate == gate->conn && link->socket < 0) {
            let_go(link);
        }
    }
}

bool core_nodes_end_hand_over(struct core *core, const struct link *gate)
{
    struct core_nodes *nodes = &core->nodes;
    bool is_own = !core_nodes_is_of_other_node(gate);
    if (is_own) {
        nodes->has_own_gate_ended = true;
    } else {
        end_links_left_away(core, gate);
        nodes->is_expected[node_of(gate)] = false;
    }
    if (!nodes->is_awaiting) {
        return is_own;
    }
    if (nodes->has_own_gate_ended && !awaits_gates(nodes)) {
        tell_house(core);
    }
    return false;
}

bool core_nodes_keep_link(struct core *core, struct link *link)
{
    if (!is_session_of_other_node(link) || link->has_left) {
        return false;
    }
    set_away(core, link);
    return true;
}

#define BRIDGE_UNSENT_MAX (4UL * PACKET_MAX)

/* Tells the bridge what it must know, in place of what still waits for room in its socket. */
static void tell(struct core_bridge *bridge)
{
    json_t *const messages[] = {bridge->own_key, bridge->nodes};
    if (bridge->link->awaits_hello) {
        return; /* told after the hello */
    }
    packet_queue_clear(&bridge->link->unsent);
    bridge->link->is_lost = false;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (messages[i] != NULL) {
            link_send_json(bridge->link, json_incref(messages[i]));
        }
    }
}

static void take_hello(struct core_bridge *bridge, UNUSED const json_t *message, UNUSED int *fd)
{
    bridge->link->awaits_hello = false;
    tell(bridge);
}

static void take_released(struct core_bridge *bridge, const json_t *message, UNUSED int *fd)
{
    int64_t turn;
    if (bridge->is_holder && json_read_number(message, "turn", 0, INT64_MAX, &turn) &&
        turn == bridge->turn) {
        bridge->is_released = true;
    }
}

/* Takes the socket of a gate or worker of another node, or of an operator's program. */
static void take_socket(struct core_bridge *bridge, const json_t *message, int *fd)
{
    const char *type = json_read_type(message);
    const char *kind = json_read_text(message, "kind", JSON_NAME_MAX);
    int64_t node = 0;
    bool is_of_node = json_read_number(message, "node", 1, CLUSTER_NODE_MAX, &node);
    if (*fd < 0 || !bridge->is_serving) {
        return;
    }
    if (strcmp(type, "operator") == 0) {
        core_operators_take_over(bridge->core, *fd);
    } else if (is_of_node && strcmp(type, "gate") == 0) {
        log_pairs(LOG_LEVEL_INFO, 0, "node", LOG_PAIRS("node", LOG_NUMBER(node)));
        add_gate(bridge->core, (unsigned)node, *fd);
    } else if (is_of_node && kind != NULL) {
        add_worker(bridge->core, (unsigned)node, kind, *fd);
    } else {
        return;
    }
    *fd = -1;
}

static void take_gone(struct core_bridge *bridge, const json_t *message, UNUSED int *fd)
{
    int64_t conn;
    if (bridge->is_serving &&
        json_read_number(message, "conn", CORE_CONN_SESSIONS, INT64_MAX, &conn)) {
        note_session_end(bridge->core, conn);
    }
}

static void take_reached(struct core_bridge *bridge, const json_t *message, UNUSED int *fd)
{
    int64_t nodes;
    if (bridge->is_holder && json_read_number(message, "nodes", 0, CLUSTER_NODE_MAX, &nodes)) {
        bridge->reached = (unsigned)nodes;
        bridge->is_cut_off = json_is_true(json_object_get(message, "is_cut_off"));
        core_lease_measure(bridge->core->lease, &bridge->core->metrics);
    }
}

static void take_answers_key(struct core_bridge *bridge, const json_t *message, UNUSED int *fd)
{
    uint8_t key[CORE_KEY_BYTES];
    if (image_bytes_from_json(json_object_get(message, "key"), key, sizeof key)) {
        memcpy(bridge->house_key, key, sizeof key);
        bridge->has_house_key = true;
    }
}

static void handle_message(struct core_bridge *bridge, size_t len, int fd)
{
    static const struct {
        const char *type;
        void (*take)(struct core_bridge *bridge, const json_t *message, int *fd);
    } types[] = {
        {"answers_key", take_answers_key},
        {"gate", take_socket},
        {"gone", take_gone},
        {"hello", take_hello},
        {"operator", take_socket},
        {"reached", take_reached},
        {"released", take_released},
        {"worker", take_socket},
    };
    json_t *message = json_read_object(bridge->core->buffer, len);
    const char *type = json_read_type(message);
    bool is_hello = strcmp(type, "hello") == 0;
    size_t i = 0;
    while (i < ARRAY_LEN(types) && strcmp(types[i].type, type) != 0) {
        i++;
    }
    if (i < ARRAY_LEN(types) && (is_hello || !bridge->link->awaits_hello)) {
        types[i].take(bridge, message, &fd);
    }
    fd_close(fd); /* unless it was taken over */
    json_decref(message);
}

/* Between `released` and core_bridge_serve_nodes nothing is read: what follows concerns the open
 * house. */
static void read_messages(int socket, UNUSED short events, void *context)
{
    const struct link *link = context;
    struct core_bridge *bridge = link->owner;
    enum packet_result result = PACKET_OK;
    if (bridge->is_serving) {
        core_metrics_begin_pass(bridge->core);
    }
    while (result == PACKET_OK) {
        size_t len;
        int fd;
        if (bridge->is_released && !bridge->is_serving) {
            event_del(link->readable);
            return;
        }
        result = packet_receive(socket, bridge->core->buffer, &len, &fd);
        if (result == PACKET_OK) {
            handle_message(bridge, len, fd);
        }
    }
    if (result == PACKET_CLOSED || result == PACKET_BAD) {
        log_event(LOG_LEVEL_ERROR, 0, "the bridge %s",
                  result == PACKET_CLOSED ? "closed its socket" : "broke the protocol");
        if (result == PACKET_CLOSED) {
            event_del(link->readable);
        }
    }
}

void core_bridge_begin(struct core *core, int socket)
{
    struct core_bridge *bridge = &core->bridge;
    bridge->core = core;
    bridge->is_released = false;
    bridge->links.unsent_max = BRIDGE_UNSENT_MAX;
    bridge->link = link_new(&bridge->links, core->base, socket, 0, PEER_ANY, read_messages);
    bridge->link->owner = bridge;
    link_ask_to_start_over(bridge->link);
}

void core_bridge_end(struct core_bridge *bridge)
{
    json_decref(bridge->own_key);
    json_decref(bridge->nodes);
    link_free(bridge->link);
    sodium_memzero(bridge->house_key, sizeof bridge->house_key);
}

void core_bridge_tell_nodes(struct core_bridge *bridge, int self, int holder,
                            const struct cluster_node *nodes, size_t count)
{
    if (bridge->link == NULL) {
        return;
    }
    json_t *list = must_not_be_null(json_array());
    for (size_t i = 0; i < count && i < CLUSTER_NODE_MAX; i++) {
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:b}", "node", nodes[i].node,
                                              "address", nodes[i].address, "key", nodes[i].key,
                                              "alive", nodes[i].is_alive));
    }
    bool was_holder = bridge->is_holder;
    bool was_released = bridge->is_released;
    bridge->turn++;
    bridge->is_holder = holder == self;
    bridge->is_released = bridge->is_released && was_holder && bridge->is_holder;
    if (was_released && !bridge->is_released) {
        loop_begin(bridge->link->readable); /* read_messages may have paused it */
    }
    bridge->reached = bridge->is_holder ? bridge->reached : 0;
    bridge->is_cut_off = bridge->is_holder && bridge->is_cut_off;
    json_decref(bridge->nodes);
    bridge->nodes = must_not_be_null(
        json_pack("{s:s, s:I, s:i, s:i, s:o}", "t", "nodes", "turn", (json_int_t)bridge->turn,
                  "self", self, "holder", holder == CLUSTER_NOBODY ? 0 : holder, "nodes", list));
    if (json_dumpb(bridge->nodes, NULL, 0, JSON_COMPACT) > PACKET_MAX) {
        log_event(LOG_LEVEL_ERROR, 0, "the list of nodes is too long for the bridge");
    }
    tell(bridge);
}

bool core_bridge_give_operator(const struct core_bridge *bridge, int socket, const char *refusal)
{
    char *json = must_format_json(json_pack("{s:s, s:s}", "t", "operator", "refusal", refusal));
    bool is_given = bridge->link != NULL && !bridge->link->awaits_hello &&
                    packet_send(bridge->link->socket, json, strlen(json), socket) == PACKET_OK;
    free(json);
    return is_given;
}

void core_bridge_tell_waiting(const struct core_bridge *bridge)
{
    if (!bridge->link->awaits_hello) {
        link_send_json(bridge->link, json_pack("{s:s}", "t", "waits"));
    }
}

/* Begins to wait for the gates of the other nodes that the message `nodes` names. */
static void await_gates(const struct core_bridge *bridge)
{
    struct core_nodes *nodes = &bridge->core->nodes;
    const json_t *self = json_object_get(bridge->nodes, "self");
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(bridge->nodes, "nodes"), i, entry)
    {
        const json_t *node = json_object_get(entry, "node");
        bool is_other = json_equal(node, self) == 0;
        nodes->is_expected[json_integer_value(node)] = is_other;
        nodes->is_awaiting = nodes->is_awaiting || is_other;
    }
    nodes->await_until_ms = clock_steady_ms() + CORE_NODES_AWAY_MS;
}

void core_bridge_serve_nodes(struct core_bridge *bridge)
{
    if (bridge->link == NULL) {
        return;
    }
    bridge->is_serving = true;
    await_gates(bridge);
    loop_begin(bridge->link->readable);
}

void core_bridge_share_answers_key(struct core_bridge *bridge, uint8_t key[CORE_KEY_BYTES])
{
    if (bridge->link == NULL) {
        return;
    }
    if (bridge->has_house_key) {
        memcpy(key, bridge->house_key, CORE_KEY_BYTES);
    }
    json_decref(bridge->own_key);
    bridge->own_key = must_not_be_null(json_pack("{s:s, s:o}", "t", "answers_key", "key",
                                                 image_bytes_to_json(key, CORE_KEY_BYTES)));
    tell(bridge);
}
