#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/bridge/bridge_state.h"
#include "lobby/protocol/protocol.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_MAX 32

/* Sends what waits. Once the core's socket is closed, the house is ending: the loop ends too. */
static void send_waiting(struct bridge *bridge)
{
    size_t cost = 0;
    switch (bridge_queue_send(&bridge->to_core, bridge->setup->core_socket, &cost)) {
    case BRIDGE_QUEUE_SENT:
        event_del(bridge->core_has_room);
        break;
    case BRIDGE_QUEUE_WAITS:
        event_add(bridge->core_has_room, NULL);
        break;
    case BRIDGE_QUEUE_CLOSED:
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

void bridge_core_take_house_key(struct bridge *bridge, const char *hex, size_t len)
{
    if (keep_house_key(bridge, hex, len)) {
        tell_house_key(bridge);
    }
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

static void take_waits(struct bridge *bridge, UNUSED const json_t *message)
{
    bridge_away_tell_waiting(bridge);
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
    const char *type = json_read_text(message, "t", TYPE_MAX);
    for (size_t i = 0; type != NULL && i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
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
        event_new(bridge->base, socket, EV_READ | EV_PERSIST, receive_messages, bridge);
    bridge->core_has_room =
        event_new(bridge->base, socket, EV_WRITE | EV_PERSIST, send_when_writable, bridge);
    if (bridge->from_core == NULL || bridge->core_has_room == NULL ||
        event_add(bridge->from_core, NULL) != 0) {
        abort();
    }
    greet_core(bridge);
}

void bridge_core_end(struct bridge *bridge)
{
    event_free(bridge->core_has_room);
    event_free(bridge->from_core);
    bridge_queue_clear(&bridge->to_core);
    free(bridge->buffer);
}
