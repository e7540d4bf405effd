#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/processes/core/core_state.h"

#include <event2/event.h>
#include <string.h>
#include <unistd.h>

#define PEERS_PER_NODE                                                                             \
    16           /* the gate of a node has the first number of these, then come workers            \
                  */
#define LOOK_S 1 /* time between two looks at the links that are away */

static int64_t conn_of_gate(unsigned node)
{
    return CORE_NODES_CONNS + (int64_t)node * PEERS_PER_NODE;
}

bool core_nodes_is_of_other_node(const struct link *link)
{
    return link->conn >= CORE_NODES_CONNS;
}

/* Returns the node of a gate or worker of another node. */
static int64_t node_of(const struct link *link)
{
    return (link->conn - CORE_NODES_CONNS) / PEERS_PER_NODE;
}

bool core_nodes_may_hand_over(const struct link *gate, int64_t conn)
{
    return !core_nodes_is_of_other_node(gate) || conn >> CORE_NODES_SHIFT == node_of(gate);
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
    static const bool none[CORE_NODES_MAX + 1];
    return memcmp(nodes->is_expected, none, sizeof none) != 0;
}

/* Ends the links that are away for too long, and stops waiting for gates. */
static void give_up(UNUSED int socket, UNUSED short events, void *context)
{
    struct core *core = context;
    int64_t now_ms = clock_steady_ms();
    core_metrics_begin_pass(core);
    struct link *link = LIST_FIRST(&core->links.all);
    bool is_any_away = false;
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->socket < 0 && now_ms >= link->away_until_ms) {
            link->has_left = true;
            link_end(link, LINK_GONE);
        }
        is_any_away = is_any_away || link->socket < 0;
    }
    bool is_over = core->nodes.is_awaiting && now_ms >= core->nodes.await_until_ms;
    if (is_over) {
        tell_house(core);
    }
    if (!is_any_away && !core->nodes.is_awaiting) {
        event_del(core->nodes.timer);
    }
}

static void begin_timer(struct core *core)
{
    static const struct timeval every = {.tv_sec = LOOK_S};
    struct core_nodes *nodes = &core->nodes;
    if (nodes->timer == NULL) {
        nodes->timer = event_new(core->base, -1, EV_PERSIST, give_up, core);
    }
    if (nodes->timer == NULL || (event_pending(nodes->timer, EV_TIMEOUT, NULL) == 0 &&
                                 event_add(nodes->timer, &every) != 0)) {
        abort();
    }
}

void core_nodes_await(struct core *core, const unsigned *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        core->nodes.is_expected[nodes[i]] = true;
    }
    core->nodes.is_awaiting = count > 0;
    core->nodes.await_until_ms = clock_steady_ms() + CORE_NODES_AWAY_MS;
    if (count > 0) {
        begin_timer(core);
    }
}

void core_nodes_free(struct core *core)
{
    if (core->nodes.timer != NULL) {
        event_free(core->nodes.timer);
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
    begin_timer(core);
}

static void add_peer(struct core *core, int64_t conn, enum peer kind, int socket)
{
    struct link *link = core_add_link(core, socket, conn, kind);
    link->is_adopting = kind == PEER_GATE;
    core_abort_unless_written(core,
                              house_connect(core->house, clock_unix_ms(), conn, kind, "", ""));
    link_ask_to_start_over(link);
}

/* Nothing of an earlier connection with the node is of use any more. */
void core_nodes_add_gate(struct core *core, unsigned node, int socket)
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

void core_nodes_add_worker(struct core *core, unsigned node, const char *kind, int socket)
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

void core_nodes_note_session_end(struct core *core, int64_t conn)
{
    struct link *link = link_find(&core->links, conn);
    if (link == NULL || !is_session_of_other_node(link)) {
        return; /* the core has ended the link already */
    }
    link->has_left = true;
    if (link->socket < 0) {
        link_end(link, LINK_GONE);
    }
}

/* Ends the links to those sessions of a gate that it has not handed over again. */
static void end_links_left_away(struct core *core, const struct link *gate)
{
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_SESSION && link->gate == gate->conn && link->socket < 0) {
            link->has_left = true;
            link_end(link, LINK_GONE);
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
