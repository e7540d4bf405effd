#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADDRESS_MAX 64

static bool read_node(const json_t *entry, struct bridge_node *node)
{
    int64_t number;
    int len = sizeof node->address;
    const char *address = json_read_text(entry, "address", ADDRESS_MAX);
    const char *key = json_read_text(entry, "key", BRIDGE_KEY_TEXT_MAX - 1);
    *node = (struct bridge_node){.node = 0};
    if (address == NULL || key == NULL ||
        !json_read_number(entry, "node", 1, BRIDGE_NODES_MAX, &number) ||
        evutil_parse_sockaddr_port(address, (struct sockaddr *)&node->address, &len) != 0) {
        return false;
    }
    node->node = (unsigned)number;
    node->is_alive = json_is_true(json_object_get(entry, "alive"));
    node->address_len = (socklen_t)len;
    (void)snprintf(node->key, sizeof node->key, "%s", key);
    return true;
}

/* Reads the message. Leaves out nodes with a bad address or key, with a line on the log. Returns
 * false, and changes nothing, if the message has another form. */
static bool read_nodes(struct bridge_nodes *nodes, const json_t *message)
{
    int64_t self;
    int64_t holder;
    int64_t turn = 0;
    const json_t *list = json_object_get(message, "nodes");
    if (!json_read_number(message, "self", 1, BRIDGE_NODES_MAX, &self) ||
        !json_read_number(message, "holder", 0, BRIDGE_NODES_MAX, &holder) ||
        !json_read_optional_number(message, "turn", 0, INT64_MAX, &turn) || !json_is_array(list) ||
        json_array_size(list) > BRIDGE_NODES_MAX) {
        return false;
    }
    nodes->self = (unsigned)self;
    nodes->holder = (unsigned)holder;
    nodes->turn = turn;
    nodes->count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (read_node(json_array_get(list, i), &nodes->list[nodes->count])) {
            nodes->count++;
        } else {
            log_event(LOG_LEVEL_WARN, 0, "a node of the house has no address or key");
        }
    }
    return true;
}

/* Returns NULL if there is no such node. */
static const struct bridge_node *find_node(const struct bridge_nodes *nodes, unsigned node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->list[i].node == node) {
            return &nodes->list[i];
        }
    }
    return NULL;
}

/* True if a node has this address; the port does not count. */
static bool is_address_of_node(const struct bridge_nodes *nodes,
                               const struct sockaddr_storage *address)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (evutil_sockaddr_cmp((const struct sockaddr *)&nodes->list[i].address,
                                (const struct sockaddr *)address, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* True if both nodes have the same address, port and key. */
static bool are_same_nodes(const struct bridge_node *a, const struct bridge_node *b)
{
    return evutil_sockaddr_cmp((const struct sockaddr *)&a->address,
                               (const struct sockaddr *)&b->address, 1) == 0 &&
           strcmp(a->key, b->key) == 0;
}

/* Sends what waits. Once the core's socket is closed, the house is ending: the loop ends too. */
static void send_waiting(struct bridge *bridge)
{
    switch (packet_queue_send(&bridge->to_core, bridge->setup->core_socket)) {
    case PACKET_OK:
        event_del(bridge->core_has_room);
        break;
    case PACKET_AGAIN:
        loop_begin(bridge->core_has_room);
        break;
    case PACKET_CLOSED:
    case PACKET_BAD:
        event_base_loopbreak(bridge->base);
        break;
    }
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    send_waiting(context);
}

/* Sends the core a message, whose reference is taken over, and a descriptor, which is taken over
 * too; -1: none. */
static void send_to_core(struct bridge *bridge, json_t *message, int fd)
{
    char *json = must_format_json(message);
    bool was_empty = bridge->to_core.count == 0;
    packet_queue_add(&bridge->to_core, json, strlen(json), fd);
    free(json);
    if (was_empty) {
        send_waiting(bridge);
    }
}

static void tell_house_key(struct bridge *bridge)
{
    if (bridge->house_key[0] != '\0') {
        send_to_core(bridge, json_pack("{s:s, s:s}", "t", "answers_key", "key", bridge->house_key),
                     -1);
    }
}

/* Remembers the key of the house's stored answers (in hex, not ended by a zero). Returns false if
 * it is none, or known. */
static bool keep_house_key(struct bridge *bridge, const char *hex, size_t len)
{
    if (len == 0 || len > BRIDGE_HOUSE_KEY_MAX ||
        (strlen(bridge->house_key) == len && memcmp(bridge->house_key, hex, len) == 0)) {
        return false;
    }
    memcpy(bridge->house_key, hex, len);
    bridge->house_key[len] = '\0';
    return true;
}

#define PAUSE_FIRST_MS 100
#define PAUSE_MAX_MS 3200
#define STABLE_MS 10000

/* Returns how long to wait until the next attempt at something that failed: ever longer, until it
 * once lasted for STABLE_MS. *next_ms is 0 at first. */
static int64_t take_pause_ms(int64_t *next_ms, bool was_stable)
{
    int64_t pause_ms = was_stable || *next_ms == 0 ? PAUSE_FIRST_MS : *next_ms;
    *next_ms = pause_ms * 2 < PAUSE_MAX_MS ? pause_ms * 2 : PAUSE_MAX_MS;
    return pause_ms;
}

#define ACCEPT_AGAIN_MS 1000

/* The bridge of another node, or a connection that has not proved yet which node it comes from. */
struct bridge_guest {
    struct bridge *bridge;
    unsigned node;                 /* 0: not proved yet */
    bool is_from_known;            /* the connection comes from a node's address */
    char key[BRIDGE_KEY_TEXT_MAX]; /* the key with which the node has signed in */
    struct bridge_wire wire;
    uint64_t beginning; /* number of the last FRAME_BEGIN; when it was answered, the wire carries */
    int64_t begun_ms;   /* when it was sent, monotonic */
    int64_t pause_ms;   /* pause before the next one, if the core closes the socket of a process */
    struct event *again; /* sends the next one */
    LIST_ENTRY(bridge_guest) in_guests;
};

static bool holds_house(const struct bridge *bridge)
{
    return bridge->nodes.self != 0 && bridge->nodes.holder == bridge->nodes.self;
}

/* Gives the core nothing of this node until the node has answered a new FRAME_BEGIN. */
static void stop_serving(struct bridge_guest *guest)
{
    bridge_channels_clear(&guest->wire);
    event_del(guest->again);
}

static void free_guest(struct bridge_guest *guest)
{
    LIST_REMOVE(guest, in_guests);
    stop_serving(guest);
    bridge_wire_clear(&guest->wire);
    event_free(guest->again);
    free(guest);
}

static void begin_serving(struct bridge_guest *guest)
{
    stop_serving(guest);
    guest->beginning++;
    guest->begun_ms = clock_steady_ms();
    bridge_wire_send(&guest->wire,
                     &(const struct frame){.kind = FRAME_BEGIN, .channel = guest->beginning});
}

static void begin_again(UNUSED int socket, UNUSED short events, void *context)
{
    begin_serving(context);
}

/* A core that closes the socket of another node's process is ending, or has not understood that it
 * may take it. Unless a new core begins meanwhile, the process is offered again after a pause. */
static void begin_again_after_pause(struct bridge_guest *guest)
{
    bool was_stable = clock_steady_ms() - guest->begun_ms >= STABLE_MS;
    /* the core may have closed the socket of another process of this node, too */
    if (event_pending(guest->again, EV_TIMEOUT, NULL) == 0) {
        loop_begin_ms(guest->again, take_pause_ms(&guest->pause_ms, was_stable));
    }
}

/* Returns the connection with this node; NULL if there is none. */
static struct bridge_guest *find_guest(const struct bridge_home *home, unsigned node)
{
    struct bridge_guest *guest = LIST_FIRST(&home->guests);
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        /* clang-tidy overlooks that free_guest takes the guest out of the list first */
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        if (guest->node == node) {
            return guest;
        }
    }
    return NULL;
}

/* Returns how many nodes are alive besides the own one; *reached: how many of these are connected.
 */
static unsigned count_others(const struct bridge *bridge, unsigned *reached)
{
    const struct bridge_nodes *nodes = &bridge->nodes;
    unsigned alive = 0;
    *reached = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->list[i].is_alive && nodes->list[i].node != nodes->self) {
            alive++;
            *reached += find_guest(&bridge->home, nodes->list[i].node) != NULL;
        }
    }
    return alive;
}

static void tell_reached(struct bridge *bridge, bool is_cut_off)
{
    bridge->home.is_told = true;
    send_to_core(bridge,
                 json_pack("{s:s, s:i, s:b}", "t", "reached", "nodes", (int)bridge->home.reached,
                           "is_cut_off", is_cut_off),
                 -1);
}

/* Waits for the event for so long, unless the time for which it is waited for runs already. */
static void loop_begin_once_ms(struct event *event, int64_t wait_ms)
{
    if (event_pending(event, EV_TIMEOUT, NULL) == 0) {
        loop_begin_ms(event, wait_ms);
    }
}

/* Counts the connected nodes anew, and acts on that. */
static void look_at_reach(struct bridge *bridge)
{
    struct bridge_home *home = &bridge->home;
    unsigned reached;
    unsigned alive = count_others(bridge, &reached);
    bool are_few = home->is_open && 2 * (reached + 1) < alive + 1;
    if (home->is_open && (!home->is_told || reached != home->reached)) {
        home->reached = reached;
        tell_reached(bridge, false);
    }
    if (!are_few) {
        event_del(home->alone);
    } else {
        loop_begin_once_ms(home->alone, BRIDGE_HOME_ALONE_MS);
    }
}

/* Fewer than half of the nodes were connected for a while. */
static void ask_to_leave_house(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    struct bridge_home *home = &bridge->home;
    int64_t now_ms = clock_steady_ms();
    unsigned reached;
    unsigned alive = count_others(bridge, &reached);
    if (now_ms - home->asked_ms < BRIDGE_HOME_ASKS_EVERY_MS) {
        return;
    }
    home->asked_ms = now_ms;
    log_pairs(LOG_LEVEL_WARN, 0, "alone",
              LOG_PAIRS("connected", LOG_NUMBER(reached), "alive", LOG_NUMBER(alive)));
    tell_reached(bridge, true);
}

static void handle_end_of_guest(void *context, const char *why)
{
    struct bridge_guest *guest = context;
    struct bridge *bridge = guest->bridge;
    if (guest->node != 0 || guest->is_from_known) { /* strangers do not fill the log */
        log_pairs(LOG_LEVEL_WARN, 0, "cut", LOG_PAIRS("node", LOG_NUMBER(guest->node), "why", why));
    }
    free_guest(guest);
    look_at_reach(bridge);
}

/* The core must be told that a session has ended, since it takes the mere end of the socket for a
 * lost connection between the nodes. */
static void handle_closed_socket(void *context, const struct bridge_channel *channel)
{
    struct bridge_guest *guest = context;
    if (channel->id <= FRAMES_CHANNEL_WORKERS) {
        begin_again_after_pause(guest);
    } else if (channel->is_ending) {
        send_to_core(guest->bridge,
                     json_pack("{s:s, s:I}", "t", "gone", "conn", (json_int_t)channel->id), -1);
    }
}

static void tell_guest_house_key(struct bridge_guest *guest)
{
    const char *key = guest->bridge->house_key;
    if (key[0] != '\0') {
        bridge_wire_send(&guest->wire, &(const struct frame){FRAME_KEY, 0, key, strlen(key)});
    }
}

static void handle_guest(void *context, unsigned node)
{
    struct bridge_guest *guest = context;
    const struct bridge_node *known = find_node(&guest->bridge->nodes, node);
    struct bridge_guest *former = find_guest(&guest->bridge->home, node);
    if (known == NULL) {
        bridge_wire_end(&guest->wire, "the node has left the house");
        return;
    }
    if (former != NULL) {
        free_guest(former); /* its connection is lost, although that was not noticed here yet */
    }
    guest->node = node;
    memcpy(guest->key, known->key, sizeof guest->key);
    tell_guest_house_key(guest);
    if (guest->bridge->home.is_open) {
        begin_serving(guest);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "serve", LOG_PAIRS("node", LOG_NUMBER(node)));
    look_at_reach(guest->bridge);
}

/* The node has answered a FRAME_BEGIN. Returns false if it was sent none with this number. */
static bool take_beginning(struct bridge_guest *guest, uint64_t beginning)
{
    if (beginning == guest->beginning && guest->bridge->home.is_open && !guest->wire.is_carrying) {
        guest->wire.is_carrying = true;
    }
    return beginning <= guest->beginning;
}

/* Returns what FRAME_OPEN opens; "" if that is unknown. */
static const char *find_kind(const struct frame *frame)
{
    static const char *const kinds[] = {"gate", "auth", "bot", "operator"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strlen(kinds[i]) == frame->len && memcmp(kinds[i], frame->bytes, frame->len) == 0) {
            return kinds[i];
        }
    }
    return "";
}

/* Makes a socket pair, of which the core gets one end together with the message, and adds the other
 * as a channel. */
static bool open_process(struct bridge_guest *guest, const struct frame *frame)
{
    int ends[2];
    const char *kind = find_kind(frame);
    bool is_worker = strcmp(kind, "auth") == 0 || strcmp(kind, "bot") == 0;
    const char *type = is_worker ? "worker" : kind;
    if (strcmp(type, frame->channel == FRAMES_CHANNEL_GATE      ? "gate"
                     : frame->channel <= FRAMES_CHANNEL_WORKERS ? "worker"
                                                                : "operator") != 0) {
        return false;
    }
    if (packet_make_socket_pair(ends) != 0) {
        (void)log_failure("no socket for a process of node %u", guest->node);
        return false;
    }
    (void)bridge_channels_add(&guest->wire, frame->channel, ends[1], false);
    send_to_core(
        guest->bridge,
        json_pack("{s:s, s:I, s:s}", "t", type, "node", (json_int_t)guest->node, "kind", kind),
        ends[0]);
    return true;
}

/* Hands a session over to the core, through the socket of the node's gate. */
static bool open_session(struct bridge_guest *guest, const struct frame *frame)
{
    struct bridge_channel *gate = bridge_channels_find(&guest->wire, FRAMES_CHANNEL_GATE);
    int ends[2];
    if (frame->channel >> NODES_CONN_SHIFT != guest->node) {
        return false;
    }
    if (gate == NULL) {
        return true; /* the core has closed its socket while the frame was under way */
    }
    if (packet_make_socket_pair(ends) != 0) {
        (void)log_failure("no socket for a session of node %u", guest->node);
        bridge_wire_send(&guest->wire, &(const struct frame){FRAME_CLOSE, frame->channel, NULL, 0});
        return bridge_channel_deliver(gate, frame->bytes, frame->len, -1);
    }
    (void)bridge_channels_add(&guest->wire, frame->channel, ends[1], false);
    return bridge_channel_deliver(gate, frame->bytes, frame->len, ends[0]);
}

static bool take_frame_of_guest(void *context, const struct frame *frame)
{
    struct bridge_guest *guest = context;
    if (guest->node == 0) {
        return true; /* the wire is about to end */
    }
    if (frame->kind == FRAME_BEGIN) {
        return take_beginning(guest, frame->channel);
    }
    if (!guest->wire.is_carrying) {
        return true; /* meant for a core that has ended */
    }
    if (frame->kind != FRAME_OPEN || bridge_channels_find(&guest->wire, frame->channel) != NULL) {
        return false;
    }
    return (frame->channel >> NODES_CONN_SHIFT == 0 ? open_process : open_session)(guest, frame);
}

static void accept_again(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    loop_begin(bridge->home.accept);
}

/* Accepts nobody for a while: there may be too many open files. */
static void pause_accepting(struct bridge_home *home)
{
    (void)log_failure("cannot accept a bridge");
    event_del(home->accept);
    loop_begin_ms(home->resume, ACCEPT_AGAIN_MS);
}

/* True if there are as many unproved connections of this kind as may be. */
static bool has_many_unproved(const struct bridge_home *home, bool is_from_known)
{
    const struct bridge_guest *guest = LIST_FIRST(&home->guests);
    unsigned count = 0;
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        count += guest->node == 0 && guest->is_from_known == is_from_known;
    }
    return count >= BRIDGE_HOME_UNPROVED_MAX;
}

static void accept_bridge(int socket, UNUSED short events, void *context)
{
    static const struct bridge_wire_calls calls = {.opened = handle_guest,
                                                   .take_frame = take_frame_of_guest,
                                                   .ended = handle_end_of_guest,
                                                   .closed = handle_closed_socket};
    struct bridge *bridge = context;
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    int accepted = accept4(socket, (struct sockaddr *)&address, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
        if (errno != EAGAIN && errno != ECONNABORTED) {
            pause_accepting(&bridge->home);
        }
        return;
    }
    bool is_known = is_address_of_node(&bridge->nodes, &address);
    if (!holds_house(bridge) || has_many_unproved(&bridge->home, is_known)) {
        close(accepted);
        return;
    }
    struct bridge_guest *guest = must_allocate(sizeof *guest);
    guest->bridge = bridge;
    guest->wire = (struct bridge_wire){.bridge = bridge, .calls = &calls, .context = guest};
    guest->is_from_known = is_known;
    guest->again = loop_make_event(bridge->base, -1, 0, begin_again, guest);
    LIST_INSERT_HEAD(&bridge->home.guests, guest, in_guests);
    bridge_wire_accept(&guest->wire, accepted);
}

/* From now on, the core takes the processes of other nodes. Does nothing if it does so already. */
static void open_home(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    if (bridge->home.is_open) {
        return;
    }
    bridge->home.is_open = true;
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        if (guest->node != 0) {
            begin_serving(guest);
        }
    }
    look_at_reach(bridge);
}

/* A new core has begun: gives it nothing until open_home. If the own node held the house, tells its
 * gate that the house is away. */
static void close_home(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    if (holds_house(bridge)) {
        house_away_tell(bridge->setup->gate_socket, HOUSE_IS_AWAY);
    }
    bridge->home.is_open = false;
    bridge->home.is_told = false;
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        stop_serving(guest);
    }
    look_at_reach(bridge);
}

/* Acts on a new list of nodes: disconnects nodes that are not in it or have another key, and all
 * if the own node does not hold the house. */
static void follow_nodes_at_home(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    bridge->home.is_open = bridge->home.is_open && holds_house(bridge);
    while (guest != NULL) {
        struct bridge_guest *next = LIST_NEXT(guest, in_guests);
        const struct bridge_node *known =
            guest->node == 0 ? NULL : find_node(&bridge->nodes, guest->node);
        bool is_welcome =
            guest->node == 0 || (known != NULL && strcmp(known->key, guest->key) == 0);
        if (!holds_house(bridge) || !is_welcome) {
            free_guest(guest);
        }
        guest = next;
    }
    bridge->home.is_told = bridge->home.is_told && bridge->home.is_open;
    look_at_reach(bridge);
}

/* Tells the bridges of the other nodes the key of the house's stored answers. */
static void tell_house_key_to_guests(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        if (guest->node != 0) {
            tell_guest_house_key(guest);
        }
    }
}

static void open_channel(struct bridge_wire *wire, uint64_t id, const char *kind, int socket,
                         bool is_borrowed)
{
    bridge_wire_send(wire, &(const struct frame){FRAME_OPEN, id, kind, strlen(kind)});
    (void)bridge_channels_add(wire, id, socket, is_borrowed);
}

/* Gives the sessions to the next gate, which began after the gate had died: it will hand them over
 * when the house is somewhere else. */
static void return_sessions(const struct bridge *bridge)
{
    const struct bridge_channel *channel = NULL;
    LIST_FOREACH(channel, &bridge->away.wire.channels, in_all)
    {
        if (channel->opening != NULL &&
            !packet_send_waiting(bridge->setup->gate_socket, channel->opening,
                                 strlen(channel->opening), channel->socket)) {
            log_event(LOG_LEVEL_WARN, 0, "the gate does not take over all sessions");
            return;
        }
    }
}

/* Takes a session over from the gate, unless its socket is carried already: then the message goes
 * on as it is. A session that is older than the number of this node in the settings cannot be
 * carried. */
static bool take_session(void *context, struct bridge_channel *gate, const char *bytes, size_t len,
                         int fd)
{
    struct bridge *bridge = context;
    struct bridge_wire *wire = &bridge->away.wire;
    int64_t conn = 0;
    json_t *message = json_read_object(bytes, len);
    if (json_read_bool(message, "inherits", false)) {
        return_sessions(bridge);
    }
    bool is_session = fd >= 0 && strcmp(json_read_type(message), "connection") == 0 &&
                      json_read_number(message, "conn", 1, INT64_MAX, &conn) &&
                      bridge_channels_find(wire, (uint64_t)conn) == NULL;
    json_decref(message);
    if (!is_session) {
        return false;
    }
    if (conn >> NODES_CONN_SHIFT != bridge->nodes.self) {
        log_event(LOG_LEVEL_ERROR, conn, "the session has a number of another node");
        close(fd);
        return true;
    }
    bridge_channel_send_frame(gate, &(const struct frame){FRAME_OPEN, (uint64_t)conn, bytes, len});
    bridge_channels_add(wire, (uint64_t)conn, fd, false)->opening =
        must_not_be_null(strndup(bytes, len));
    return true;
}

static void handle_closed_channel(void *context, const struct bridge_channel *channel)
{
    struct bridge *bridge = context;
    if (channel->id <= FRAMES_CHANNEL_WORKERS && !channel->is_ending) {
        bridge_wire_end(&bridge->away.wire, "the gate or a worker closed its socket");
    } else if (channel->id == FRAMES_CHANNEL_GATE) {
        house_away_tell(bridge->setup->gate_socket,
                        HOUSE_IS_AWAY); /* the core of the holder has ended */
    }
}

/* Reads no more from the own gate, workers and sessions. */
static void stop_carrying(struct bridge *bridge)
{
    if (bridge->away.wire.is_carrying) {
        bridge_channels_clear(&bridge->away.wire);
        house_away_tell(bridge->setup->gate_socket, HOUSE_IS_AWAY);
    }
}

/* Carries everything to the core that has begun to take it. */
static void begin_carrying(struct bridge *bridge, uint64_t beginning)
{
    struct bridge_away *away = &bridge->away;
    const struct bridge_setup *setup = bridge->setup;
    stop_carrying(bridge);
    bridge_wire_send(&away->wire, &(const struct frame){.kind = FRAME_BEGIN, .channel = beginning});
    away->wire.is_carrying = true;
    away->is_cut_logged = false;
    open_channel(&away->wire, FRAMES_CHANNEL_GATE, "gate", setup->gate_socket, true);
    for (unsigned i = 0; i < setup->worker_count; i++) {
        open_channel(&away->wire, i + 1, setup->workers[i].kind, setup->workers[i].socket, true);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "carry", LOG_PAIRS("node", LOG_NUMBER(away->holder.node)));
}

static bool take_frame(void *context, const struct frame *frame)
{
    struct bridge *bridge = context;
    if (frame->kind == FRAME_KEY) {
        if (keep_house_key(bridge, frame->bytes, frame->len)) {
            tell_house_key(bridge);
        }
        return true;
    }
    if (frame->kind == FRAME_BEGIN) {
        begin_carrying(bridge, frame->channel);
        return true;
    }
    return false;
}

/* Whether the gate is carried; not if the core of the holder has ended. */
static bool is_gate_carried(const struct bridge_away *away)
{
    return bridge_channels_find(&away->wire, FRAMES_CHANNEL_GATE) != NULL;
}

/* Tells the gate that the own core cannot use its data, unless the gate is carried to the holder.
 */
static void take_waits(struct bridge *bridge, UNUSED const json_t *message)
{
    if (!is_gate_carried(&bridge->away)) {
        house_away_tell(bridge->setup->gate_socket, HOUSE_WAITS);
    }
}

/* Tells the gate whether the bridge of the holder answers, while it carries the gate. */
static void handle_silence(void *context, bool is_silent)
{
    const struct bridge *bridge = context;
    if (is_gate_carried(&bridge->away)) {
        house_away_tell(bridge->setup->gate_socket, is_silent ? HOUSE_IS_AWAY : HOUSE_IS_BACK);
    }
}

static void disconnect(struct bridge *bridge)
{
    stop_carrying(bridge);
    bridge_wire_clear(&bridge->away.wire);
}

static void handle_ended(void *context, const char *why)
{
    struct bridge *bridge = context;
    struct bridge_away *away = &bridge->away;
    bool was_stable =
        away->wire.opened_ms != 0 && clock_steady_ms() - away->wire.opened_ms >= STABLE_MS;
    int64_t pause_ms = take_pause_ms(&away->pause_ms, was_stable);
    if (!away->is_cut_logged) {
        away->is_cut_logged = true;
        log_pairs(LOG_LEVEL_WARN, 0, "cut",
                  LOG_PAIRS("node", LOG_NUMBER(away->holder.node), "why", why));
    }
    disconnect(bridge);
    loop_begin_ms(away->next, pause_ms);
}

static void connect_to_holder(UNUSED int socket, UNUSED short events, void *context)
{
    static const struct bridge_wire_calls calls = {.take_frame = take_frame,
                                                   .silence = handle_silence,
                                                   .ended = handle_ended,
                                                   .take_packet = take_session,
                                                   .closed = handle_closed_channel};
    struct bridge *bridge = context;
    bridge->away.wire = (struct bridge_wire){.bridge = bridge, .calls = &calls, .context = bridge};
    bridge_wire_connect(&bridge->away.wire, &bridge->away.holder);
}

/* Acts on a new list of nodes. If the own node now holds the house, the bridge no longer reads the
 * sockets of the own gate, workers and sessions when this returns. */
static void follow_nodes_away(struct bridge *bridge)
{
    const struct bridge_nodes *nodes = &bridge->nodes;
    struct bridge_away *away = &bridge->away;
    const struct bridge_node *holder =
        nodes->holder == nodes->self ? NULL : find_node(nodes, nodes->holder);
    if (holder != NULL && holder->node == away->holder.node &&
        are_same_nodes(holder, &away->holder)) {
        return;
    }
    disconnect(bridge);
    event_del(away->next);
    away->holder = holder != NULL ? *holder : (struct bridge_node){.node = 0};
    away->pause_ms = 0;
    away->is_cut_logged = false;
    if (holder != NULL) {
        connect_to_holder(-1, 0, bridge);
    }
}

/* Carries the program of an operator, which is then asked to start over, to the house. If that
 * cannot be reached, sends the program the refusal, a message, and closes the socket. Takes the
 * socket over. */
static void take_operator(struct bridge *bridge, int socket, const char *refusal)
{
    struct bridge_away *away = &bridge->away;
    if (is_gate_carried(away)) {
        open_channel(&away->wire, FRAMES_CHANNEL_WORKERS + ++away->operators, "operator", socket,
                     false);
        return;
    }
    if (refusal != NULL && packet_send(socket, refusal, strlen(refusal), -1) != PACKET_OK) {
        log_event(LOG_LEVEL_WARN, 0, "an operator left before the answer");
    }
    close(socket);
}

static void greet_core(struct bridge *bridge)
{
    send_to_core(bridge, json_pack("{s:s}", "t", "hello"), -1);
}

static void take_resync(struct bridge *bridge, UNUSED const json_t *message)
{
    close_home(bridge);
    greet_core(bridge);
}

static void take_nodes(struct bridge *bridge, const json_t *message)
{
    if (!read_nodes(&bridge->nodes, message)) {
        log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed list of nodes");
        return;
    }
    bool is_home = bridge->nodes.holder == bridge->nodes.self;
    follow_nodes_away(bridge);
    follow_nodes_at_home(bridge);
    tell_house_key(bridge);
    if (is_home) {
        send_to_core(
            bridge,
            json_pack("{s:s, s:I}", "t", "released", "turn", (json_int_t)bridge->nodes.turn), -1);
        open_home(bridge);
    }
}

static void take_answers_key(struct bridge *bridge, const json_t *message)
{
    const char *hex = json_read_text(message, "key", BRIDGE_HOUSE_KEY_MAX);
    if (hex != NULL && keep_house_key(bridge, hex, strlen(hex))) {
        tell_house_key_to_guests(bridge);
    }
}

/* Handles a message; with that of an operator came the socket of the operator's program. */
static void handle_message(struct bridge *bridge, size_t len, int fd)
{
    static const struct {
        const char *type;
        void (*take)(struct bridge *bridge, const json_t *message);
    } pushes[] = {
        {"answers_key", take_answers_key},
        {"nodes", take_nodes},
        {"resync", take_resync},
        {"waits", take_waits},
    };
    json_t *message = json_read_object(bridge->buffer, len);
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, json_read_type(message)) == 0) {
            pushes[i].take(bridge, message);
        }
    }
    if (fd >= 0) {
        take_operator(bridge, fd, json_string_value(json_object_get(message, "refusal")));
    }
    json_decref(message);
}

static void receive_messages(int socket, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    enum packet_result result;
    size_t len;
    int fd;
    while ((result = packet_receive(socket, bridge->buffer, &len, &fd)) == PACKET_OK) {
        handle_message(bridge, len, fd);
    }
    if (result != PACKET_AGAIN) {
        event_base_loopbreak(bridge->base);
    }
}

#define SIGN_MS (LIFE_EVERY_MS / 2)

static void give_sign_of_life(UNUSED int socket, UNUSED short events, void *context)
{
    const struct bridge *bridge = context;
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
}

static void end_loop(UNUSED int signal_number, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    event_base_loopbreak(bridge->base);
}

static void begin_events(struct bridge *bridge)
{
    struct event_base *base = must_not_be_null(event_base_new());
    int core = bridge->setup->core_socket;
    bridge->base = base;
    bridge->stop = loop_watch(base, SIGTERM, EV_SIGNAL | EV_PERSIST, end_loop, bridge);
    bridge->life = loop_make_event(base, -1, EV_PERSIST, give_sign_of_life, bridge);
    loop_begin_ms(bridge->life, SIGN_MS);
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
    bridge->away.next = loop_make_event(base, -1, 0, connect_to_holder, bridge);
    bridge->home.accept =
        loop_watch(base, bridge->setup->listener, EV_READ | EV_PERSIST, accept_bridge, bridge);
    bridge->home.resume = loop_make_event(base, -1, 0, accept_again, bridge);
    bridge->home.alone = loop_make_event(base, -1, EV_PERSIST, ask_to_leave_house, bridge);
    bridge->from_core = loop_watch(base, core, EV_READ | EV_PERSIST, receive_messages, bridge);
    bridge->core_has_room =
        loop_make_event(base, core, EV_WRITE | EV_PERSIST, send_when_writable, bridge);
}

static void end_events(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    struct event *events[] = {bridge->stop,        bridge->life,         bridge->away.next,
                              bridge->home.accept, bridge->home.resume,  bridge->home.alone,
                              bridge->from_core,   bridge->core_has_room};
    disconnect(bridge);
    while (guest != NULL) {
        struct bridge_guest *next = LIST_NEXT(guest, in_guests);
        free_guest(guest);
        guest = next;
    }
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        event_free(events[i]);
    }
    event_base_free(bridge->base);
}

int bridge_run(const struct bridge_setup *setup)
{
    struct bridge bridge = {.setup = setup,
                            .home.asked_ms = clock_steady_ms() - BRIDGE_HOME_ASKS_EVERY_MS};
    bool is_good = ssh_init() == SSH_OK && bridge_ssh_begin(&bridge);
    if (is_good) {
        begin_events(&bridge);
        greet_core(&bridge);
        (void)event_base_dispatch(bridge.base);
        end_events(&bridge);
        packet_queue_clear(&bridge.to_core);
    }
    ssh_key_free(bridge.key);
    ssh_bind_free(bridge.bind);
    sodium_memzero(bridge.house_key, sizeof bridge.house_key);
    return is_good ? 0 : 1;
}
