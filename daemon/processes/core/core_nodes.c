#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/config/config.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PEERS_PER_NODE                                                                             \
    16               /* the gate of a node has the first number of these, then come workers        \
                      */
#define LOOK_MS 1000 /* time between two looks at the links that are away */

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
    struct core_nodes *nodes = &core->nodes;
    if (nodes->timer == NULL) {
        nodes->timer = loop_make_event(core->base, -1, EV_PERSIST, give_up, core);
    }
    loop_begin_once_ms(nodes->timer, LOOK_MS);
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

#define LINE_MAX_BYTES 512

struct core_waiting {
    struct core *core;
    const struct core_setup *setup;
    struct event *child;
    char failure[STORAGE_WHY_SIZE]; /* why the core cannot use its data; "": it can */
};

static void write_sentence(const struct core_waiting *waiting, int holder,
                           char sentence[STORAGE_WHY_SIZE])
{
    if (waiting->failure[0] != '\0') {
        text_clean_copy_whole_characters(waiting->failure, sentence, STORAGE_WHY_SIZE);
    } else if (holder == CLUSTER_NOBODY) {
        (void)snprintf(sentence, STORAGE_WHY_SIZE,
                       "no node holds the house at present; this one waits for it");
    } else {
        (void)snprintf(
            sentence, STORAGE_WHY_SIZE,
            "node %d holds the house, and this node is not connected to it at present: try "
            "again in a moment",
            holder);
    }
}

static void greet(const struct core_waiting *waiting, struct link *link)
{
    json_t *message = json_pack("{s:s, s:i, s:s}", "t", "welcome", "protocol", PROTOCOL_NUMBER,
                                "version", TRICKHOUSE_VERSION);
    if (waiting->failure[0] != '\0') {
        (void)json_object_set_new(message, "waits", text_clean_to_json(waiting->failure));
    }
    link_send_json(link, message);
}

/* Gives the operator to the node that holds the house, whose core asks the operator's program to
 * start over, or refuses the request. */
static void pass_on_or_refuse(const struct core_waiting *waiting, struct link *link, int64_t id)
{
    int holder = core_lease_holder(waiting->core->lease);
    bool is_held_elsewhere =
        holder != CLUSTER_NOBODY && holder != (int)waiting->setup->config->cluster_node;
    char sentence[STORAGE_WHY_SIZE];
    write_sentence(waiting, holder, sentence);
    char *refusal = must_format_json(json_pack("{s:s, s:I, s:s, s:s}", "t", "no", "id",
                                               (json_int_t)id, "code", "failed", "why", sentence));
    if (is_held_elsewhere &&
        core_bridge_give_operator(&waiting->core->bridge, link->socket, refusal)) {
        link_free(link);
    } else {
        link_send(link, refusal, strlen(refusal));
    }
    free(refusal);
}

static void accept_request(struct link *link, int64_t id)
{
    link_send_json(link, json_pack("{s:s, s:I}", "t", "ok", "id", (json_int_t)id));
}

/* If the check before a reload has ended, answers everybody who has ordered the reload. */
static void answer_reload(const struct core *core, enum core_reload_result result,
                          const char *refused)
{
    struct link *link = NULL;
    LIST_FOREACH(link, &core->links.all, in_all)
    {
        if (result != CORE_RELOAD_NONE && link->reload_id != 0) {
            accept_request(link, link->reload_id);
            link->reload_id = 0;
            if (result == CORE_RELOAD_REFUSED) {
                link_send_json(link,
                               json_pack("{s:s, s:s}", "t", "reload_refused", "why", refused));
            }
        }
    }
}

/* The request is answered only when the check has ended: if this node takes the house before, the
 * operator's program repeats an unanswered request to the house. */
static void reload(struct core *core, struct link *link, int64_t id)
{
    char why[CORE_RELOAD_WHY_MAX];
    if (link->reload_id != 0) {
        accept_request(link, link->reload_id); /* the same check answers the next request */
    }
    link->reload_id = id;
    answer_reload(core, core_reload_order(&core->reload, why), why);
}

static void finish_reload_check(UNUSED int socket, UNUSED short events, void *context)
{
    struct core *core = context;
    char why[CORE_RELOAD_WHY_MAX];
    answer_reload(core, core_reload_finish_check(&core->reload, why), why);
}

static void answer(const struct core_waiting *waiting, struct link *link, const json_t *message)
{
    const char *type = json_read_type(message);
    const char *line = json_read_text(message, "line", LINE_MAX_BYTES);
    int64_t id;
    if (strcmp(type, "hello") == 0) {
        greet(waiting, link);
    } else if (!json_read_number(message, "id", 1, INT64_MAX, &id)) {
        link_free(link);
    } else if (strcmp(type, "ping") == 0) {
        accept_request(link, id);
    } else if (line != NULL && strcmp(line, "reload") == 0) {
        reload(waiting->core, link, id);
    } else {
        pass_on_or_refuse(waiting, link, id);
    }
}

void core_waiting_read(const struct core_waiting *waiting, struct link *link)
{
    char *buffer = waiting->core->buffer;
    size_t len;
    enum packet_result result = packet_receive(link->socket, buffer, &len, NULL);
    if (result == PACKET_AGAIN) {
        return;
    }
    json_t *message = result == PACKET_OK ? json_read_request(buffer, len) : NULL;
    if (message == NULL) {
        link_free(link);
    } else {
        answer(waiting, link, message);
    }
    json_decref(message);
}

struct core_waiting *core_waiting_new(struct core *core, const struct core_setup *setup)
{
    struct core_waiting *waiting = must_allocate(sizeof *waiting);
    waiting->core = core;
    waiting->setup = setup;
    (void)snprintf(waiting->failure, sizeof waiting->failure, CORE_WAITING_NOT_REACHED);
    waiting->child =
        loop_watch(core->base, SIGCHLD, EV_SIGNAL | EV_PERSIST, finish_reload_check, core);
    core_operators_watch(core, setup);
    return waiting;
}

void core_waiting_end(struct core_waiting *waiting)
{
    if (waiting != NULL) {
        core_reload_stop_check(&waiting->core->reload);
        event_free(waiting->child);
        free(waiting);
    }
}

bool core_waiting_set_failure(struct core_waiting *waiting, const char *why)
{
    const struct core_setup *setup = waiting->setup;
    bool is_new = strcmp(waiting->failure, why) != 0;
    (void)snprintf(waiting->failure, sizeof waiting->failure, "%s", why);
    struct link *link = NULL;
    LIST_FOREACH(link, &waiting->core->links.all, in_all)
    {
        if (is_new) {
            greet(waiting, link); /* with the new reason */
        }
    }
    if (why[0] == '\0') {
        return is_new;
    }
    core_life_report_waiting(waiting->core, setup);
    if (waiting->core->bridge.link != NULL) {
        core_bridge_tell_waiting(&waiting->core->bridge);
    } else {
        house_away_tell(setup->gate_socket, HOUSE_WAITS);
    }
    return is_new;
}
