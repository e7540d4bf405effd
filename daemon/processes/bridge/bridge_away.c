#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"
#include "lobby/protocol/protocol.h"

#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
 * false, and changes nothing, if the message has another form. Otherwise frees the former list. */
static bool bridge_nodes_read(struct bridge_nodes *nodes, const json_t *message)
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
    struct bridge_nodes read = {.self = (unsigned)self, .holder = (unsigned)holder, .turn = turn};
    read.list = must_allocate((json_array_size(list) + 1) * sizeof *read.list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (read_node(json_array_get(list, i), &read.list[read.count])) {
            read.count++;
        } else {
            log_event(LOG_LEVEL_WARN, 0, "a node of the house has no address or key");
        }
    }
    bridge_nodes_clear(nodes);
    *nodes = read;
    return true;
}

void bridge_nodes_clear(struct bridge_nodes *nodes)
{
    free(nodes->list);
    *nodes = (struct bridge_nodes){.self = 0};
}

const struct bridge_node *bridge_nodes_find(const struct bridge_nodes *nodes, unsigned node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->list[i].node == node) {
            return &nodes->list[i];
        }
    }
    return NULL;
}

bool bridge_nodes_include_address(const struct bridge_nodes *nodes,
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
static bool bridge_nodes_are_same(const struct bridge_node *a, const struct bridge_node *b)
{
    return evutil_sockaddr_cmp((const struct sockaddr *)&a->address,
                               (const struct sockaddr *)&b->address, 1) == 0 &&
           strcmp(a->key, b->key) == 0;
}

/* Sends what waits. Once the core's socket is closed, the house is ending: the loop ends too. */
static void send_waiting(struct bridge *bridge)
{
    size_t cost = 0;
    switch (bridge_queue_send(&bridge->to_core, bridge->setup->core_socket, &cost)) {
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

void bridge_core_send(struct bridge *bridge, json_t *message, int fd)
{
    char *json = must_format_json(message);
    bridge_queue_add(&bridge->to_core, json, strlen(json), fd);
    free(json);
    if (bridge->to_core.count == 1) {
        send_waiting(bridge);
    }
}

static void tell_house_key(struct bridge *bridge)
{
    if (bridge->house_key[0] != '\0') {
        bridge_core_send(bridge,
                         json_pack("{s:s, s:s}", "t", "answers_key", "key", bridge->house_key), -1);
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
#define STABLE_MS 10000 /* the pauses begin anew once a connection has lasted that long */

static void open_channel(struct bridge_channels *channels, uint64_t id, const char *kind,
                         int socket, bool is_borrowed)
{
    bridge_wire_send(channels->wire, &(const struct frame){FRAME_OPEN, id, kind, strlen(kind)});
    (void)bridge_channels_add(channels, id, socket, is_borrowed);
}

/* Gives the sessions to the next gate, which began after the gate had died: it will hand them over
 * when the house is somewhere else. */
static void return_sessions(const struct bridge *bridge)
{
    const struct bridge_channel *channel = NULL;
    LIST_FOREACH(channel, &bridge->away.channels.all, in_all)
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
    struct bridge_channels *channels = &bridge->away.channels;
    int64_t conn = 0;
    if (gate->id != FRAMES_CHANNEL_GATE) {
        return false;
    }
    json_t *message = json_read_object(bytes, len);
    if (json_read_bool(message, "inherits", false)) {
        return_sessions(bridge);
    }
    bool is_session = fd >= 0 && strcmp(json_read_type(message), "connection") == 0 &&
                      json_read_number(message, "conn", 1, INT64_MAX, &conn) &&
                      bridge_channels_find(channels, (uint64_t)conn) == NULL;
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
    bridge_channels_add(channels, (uint64_t)conn, fd, false)->opening =
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
    struct bridge_away *away = &bridge->away;
    if (away->is_carrying) {
        bridge_channels_clear(&away->channels);
        away->is_carrying = false;
        house_away_tell(bridge->setup->gate_socket, HOUSE_IS_AWAY);
    }
}

static void handle_opened(void *context, UNUSED unsigned node)
{
    struct bridge *bridge = context;
    bridge->away.opened_ms = clock_steady_ms();
}

/* Carries everything to the core that has begun to take it. */
static void begin_carrying(struct bridge *bridge, uint64_t beginning)
{
    struct bridge_away *away = &bridge->away;
    const struct bridge_setup *setup = bridge->setup;
    const struct bridge_channels_calls calls = {take_session, handle_closed_channel, bridge};
    stop_carrying(bridge);
    bridge_wire_send(&away->wire, &(const struct frame){.kind = FRAME_BEGIN, .channel = beginning});
    bridge_channels_init(&away->channels, bridge->base, &away->wire, &calls);
    away->is_carrying = true;
    away->is_cut_logged = false;
    open_channel(&away->channels, FRAMES_CHANNEL_GATE, "gate", setup->gate_socket, true);
    for (unsigned i = 0; i < setup->worker_count; i++) {
        open_channel(&away->channels, i + 1, setup->workers[i].kind, setup->workers[i].socket,
                     true);
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
    return bridge->away.is_carrying && bridge_channels_take_frame(&bridge->away.channels, frame);
}

static void resume_channels(void *context)
{
    struct bridge *bridge = context;
    if (bridge->away.is_carrying) {
        bridge_channels_resume(&bridge->away.channels);
    }
}

/* Whether the gate is carried; not if the core of the holder has ended. */
static bool is_gate_carried(const struct bridge_away *away)
{
    return away->is_carrying && bridge_channels_find(&away->channels, FRAMES_CHANNEL_GATE) != NULL;
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
    bridge->away.opened_ms = 0;
    bridge_wire_clear(&bridge->away.wire);
}

static void handle_ended(void *context, const char *why)
{
    struct bridge *bridge = context;
    struct bridge_away *away = &bridge->away;
    bool was_stable = away->opened_ms != 0 && clock_steady_ms() - away->opened_ms >= STABLE_MS;
    int64_t pause_ms = was_stable ? PAUSE_FIRST_MS : away->pause_ms;
    if (!away->is_cut_logged) {
        away->is_cut_logged = true;
        log_pairs(LOG_LEVEL_WARN, 0, "cut",
                  LOG_PAIRS("node", LOG_NUMBER(away->holder.node), "why", why));
    }
    disconnect(bridge);
    away->pause_ms = pause_ms * 2 < PAUSE_MAX_MS ? pause_ms * 2 : PAUSE_MAX_MS;
    loop_begin_ms(away->next, pause_ms);
}

static void connect_to_holder(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    const struct bridge_wire_calls calls = {.opened = handle_opened,
                                            .take_frame = take_frame,
                                            .has_room = resume_channels,
                                            .silence = handle_silence,
                                            .ended = handle_ended,
                                            .context = bridge};
    bridge_wire_connect(&bridge->away.wire, bridge, &bridge->away.holder, &calls);
}

void bridge_away_begin(struct bridge *bridge)
{
    bridge->away.next = loop_make_event(bridge->base, -1, 0, connect_to_holder, bridge);
}

void bridge_away_end(struct bridge *bridge)
{
    disconnect(bridge);
    event_free(bridge->away.next);
}

/* Acts on a new list of nodes. If the own node now holds the house, the bridge no longer reads the
 * sockets of the own gate, workers and sessions when this returns. */
static void bridge_away_follow_nodes(struct bridge *bridge)
{
    const struct bridge_nodes *nodes = &bridge->nodes;
    struct bridge_away *away = &bridge->away;
    const struct bridge_node *holder =
        nodes->holder == nodes->self ? NULL : bridge_nodes_find(nodes, nodes->holder);
    if (holder != NULL && holder->node == away->holder.node &&
        bridge_nodes_are_same(holder, &away->holder)) {
        return;
    }
    disconnect(bridge);
    event_del(away->next);
    away->holder = holder != NULL ? *holder : (struct bridge_node){.node = 0};
    away->pause_ms = PAUSE_FIRST_MS;
    away->is_cut_logged = false;
    if (holder != NULL) {
        connect_to_holder(-1, 0, bridge);
    }
}

/* Carries the program of an operator, which is then asked to start over, to the house. If that
 * cannot be reached, sends the program the refusal, a message, and closes the socket. Takes the
 * socket over. */
static void bridge_away_take_operator(struct bridge *bridge, int socket, const char *refusal)
{
    struct bridge_away *away = &bridge->away;
    if (is_gate_carried(away)) {
        open_channel(&away->channels, FRAMES_CHANNEL_WORKERS + ++away->operators, "operator",
                     socket, false);
        return;
    }
    if (refusal != NULL && packet_send(socket, refusal, strlen(refusal), -1) != PACKET_OK) {
        log_event(LOG_LEVEL_WARN, 0, "an operator left before the answer");
    }
    close(socket);
}

static void greet_core(struct bridge *bridge)
{
    bridge_core_send(bridge, json_pack("{s:s}", "t", "hello"), -1);
}

static void take_resync(struct bridge *bridge, UNUSED const json_t *message)
{
    bridge_home_close(bridge);
    greet_core(bridge);
}

static void take_nodes(struct bridge *bridge, const json_t *message)
{
    if (!bridge_nodes_read(&bridge->nodes, message)) {
        log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed list of nodes");
        return;
    }
    bool is_home = bridge->nodes.holder == bridge->nodes.self;
    bridge_away_follow_nodes(bridge);
    bridge_home_follow_nodes(bridge);
    tell_house_key(bridge);
    if (is_home) {
        bridge_core_send(
            bridge,
            json_pack("{s:s, s:I}", "t", "released", "turn", (json_int_t)bridge->nodes.turn), -1);
        bridge_home_open(bridge);
    }
}

static void take_answers_key(struct bridge *bridge, const json_t *message)
{
    const char *hex = json_read_text(message, "key", BRIDGE_HOUSE_KEY_MAX);
    if (hex != NULL && keep_house_key(bridge, hex, strlen(hex))) {
        bridge_home_tell_house_key(bridge);
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
        bridge_away_take_operator(bridge, fd,
                                  json_string_value(json_object_get(message, "refusal")));
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

void bridge_core_begin(struct bridge *bridge)
{
    int socket = bridge->setup->core_socket;
    bridge->buffer = must_allocate(PACKET_MAX);
    bridge_queue_init(&bridge->to_core);
    bridge->from_core =
        loop_watch(bridge->base, socket, EV_READ | EV_PERSIST, receive_messages, bridge);
    bridge->core_has_room =
        loop_make_event(bridge->base, socket, EV_WRITE | EV_PERSIST, send_when_writable, bridge);
    greet_core(bridge);
}

void bridge_core_end(struct bridge *bridge)
{
    event_free(bridge->core_has_room);
    event_free(bridge->from_core);
    bridge_queue_clear(&bridge->to_core);
    free(bridge->buffer);
}
