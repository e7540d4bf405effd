#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/bridge/bridge_state.h"
#include "daemon/processes/common/common.h"
#include "lobby/protocol/protocol.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TYPE_MAX 32
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
    const char *type = json_read_text(message, "t", TYPE_MAX);
    bool is_session = fd >= 0 && type != NULL && strcmp(type, "connection") == 0 &&
                      json_read_number(message, "conn", 1, INT64_MAX, &conn) &&
                      bridge_channels_find(channels, (uint64_t)conn) == NULL;
    json_decref(message);
    if (!is_session) {
        return false;
    }
    if (conn >> FRAMES_NODE_SHIFT != bridge->nodes.self) {
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
        house_away_tell(bridge->setup->gate_socket); /* the core of the holder has ended */
    }
}

/* Reads no more from the own gate, workers and sessions. */
static void stop_carrying(struct bridge *bridge)
{
    struct bridge_away *away = &bridge->away;
    if (away->is_carrying) {
        bridge_channels_clear(&away->channels);
        away->is_carrying = false;
        house_away_tell(bridge->setup->gate_socket);
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
        bridge_core_take_house_key(bridge, frame->bytes, frame->len);
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

void bridge_away_tell_waiting(const struct bridge *bridge)
{
    if (!is_gate_carried(&bridge->away)) {
        house_away_tell_waiting(bridge->setup->gate_socket);
    }
}

/* Tells the gate whether the bridge of the holder answers, while it carries the gate. */
static void handle_silence(void *context, bool is_silent)
{
    const struct bridge *bridge = context;
    if (is_gate_carried(&bridge->away)) {
        (is_silent ? house_away_tell : house_away_tell_end)(bridge->setup->gate_socket);
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
    const struct timeval pause = {.tv_sec = pause_ms / 1000, .tv_usec = pause_ms % 1000 * 1000};
    if (!away->is_cut_logged) {
        away->is_cut_logged = true;
        log_pairs(LOG_LEVEL_WARN, 0, "cut",
                  LOG_PAIRS("node", LOG_NUMBER(away->holder.node), "why", why));
    }
    disconnect(bridge);
    away->pause_ms = pause_ms * 2 < PAUSE_MAX_MS ? pause_ms * 2 : PAUSE_MAX_MS;
    event_add(away->next, &pause);
}

static void connect_to_holder(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    const struct bridge_node *holder = &bridge->away.holder;
    const struct bridge_ssh_target target = {.address = holder->address,
                                             .address_len = holder->address_len,
                                             .self = bridge->nodes.self,
                                             .node = holder->node,
                                             .key = holder->key};
    const struct bridge_wire_calls calls = {.opened = handle_opened,
                                            .take_frame = take_frame,
                                            .has_room = resume_channels,
                                            .silence = handle_silence,
                                            .ended = handle_ended,
                                            .context = bridge};
    bridge_wire_connect(&bridge->away.wire, bridge->host, bridge->base, &target, &calls);
}

void bridge_away_begin(struct bridge *bridge)
{
    bridge->away.next = evtimer_new(bridge->base, connect_to_holder, bridge);
    if (bridge->away.next == NULL) {
        abort();
    }
}

void bridge_away_end(struct bridge *bridge)
{
    disconnect(bridge);
    event_free(bridge->away.next);
}

void bridge_away_follow_nodes(struct bridge *bridge)
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

void bridge_away_take_operator(struct bridge *bridge, int socket, const char *refusal)
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
