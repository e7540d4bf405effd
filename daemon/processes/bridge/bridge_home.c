#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A core that closes the socket of another node's process is ending, or has not understood that it
 * may take it. Unless a new core begins meanwhile, the process is offered again after a pause,
 * which doubles each time until the processes were taken for a while. */
#define PAUSE_FIRST_MS 100
#define PAUSE_MAX_MS 3200
#define STABLE_MS 10000
#define ACCEPT_AGAIN_MS 1000

/* The bridge of another node, or a connection that has not proved yet which node it comes from. */
struct bridge_guest {
    struct bridge *bridge;
    unsigned node;                 /* 0: not proved yet */
    bool is_from_known;            /* the connection comes from a node's address */
    char key[BRIDGE_KEY_TEXT_MAX]; /* the key with which the node has signed in */
    struct bridge_wire wire;
    uint64_t beginning;  /* number of the last FRAME_BEGIN */
    bool is_begun;       /* the node has answered it, and the channels exist */
    int64_t begun_ms;    /* when it was sent, monotonic */
    int64_t pause_ms;    /* pause before the next one, if the core closes the socket of a process */
    struct event *again; /* sends the next one */
    struct bridge_channels channels;
    LIST_ENTRY(bridge_guest) in_guests;
};

static bool holds_house(const struct bridge *bridge)
{
    return bridge->nodes.self != 0 && bridge->nodes.holder == bridge->nodes.self;
}

/* Gives the core nothing of this node until the node has answered a new FRAME_BEGIN. */
static void stop_serving(struct bridge_guest *guest)
{
    if (guest->is_begun) {
        bridge_channels_clear(&guest->channels);
        guest->is_begun = false;
    }
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

static void begin_again_after_pause(struct bridge_guest *guest)
{
    bool was_stable = clock_steady_ms() - guest->begun_ms >= STABLE_MS;
    int64_t pause_ms = was_stable || guest->pause_ms == 0 ? PAUSE_FIRST_MS : guest->pause_ms;
    if (event_pending(guest->again, EV_TIMEOUT, NULL) != 0) {
        return; /* the core has closed the socket of another process of this node, too */
    }
    guest->pause_ms = pause_ms * 2 < PAUSE_MAX_MS ? pause_ms * 2 : PAUSE_MAX_MS;
    loop_begin_ms(guest->again, pause_ms);
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
    bridge_core_send(bridge,
                     json_pack("{s:s, s:i, s:b}", "t", "reached", "nodes",
                               (int)bridge->home.reached, "is_cut_off", is_cut_off),
                     -1);
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
    if (home->has_asked && now_ms - home->asked_ms < BRIDGE_HOME_ASKS_EVERY_MS) {
        return;
    }
    home->has_asked = true;
    home->asked_ms = now_ms;
    log_pairs(LOG_LEVEL_WARN, 0, "alone",
              LOG_PAIRS("connected", LOG_NUMBER(reached), "alive", LOG_NUMBER(alive)));
    tell_reached(bridge, true);
}

static const char *find_key(void *context, unsigned node)
{
    const struct bridge_guest *guest = context;
    const struct bridge_node *known = bridge_nodes_find(&guest->bridge->nodes, node);
    return known != NULL && node != guest->bridge->nodes.self ? known->key : NULL;
}

static void handle_ended(void *context, const char *why)
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
static void handle_closed_channel(void *context, const struct bridge_channel *channel)
{
    struct bridge_guest *guest = context;
    if (channel->id <= FRAMES_CHANNEL_WORKERS) {
        begin_again_after_pause(guest);
    } else if (channel->is_ending) {
        bridge_core_send(guest->bridge,
                         json_pack("{s:s, s:I}", "t", "gone", "conn", (json_int_t)channel->id), -1);
    }
}

static void tell_house_key(struct bridge_guest *guest)
{
    const char *key = guest->bridge->house_key;
    if (key[0] != '\0') {
        bridge_wire_send(&guest->wire, &(const struct frame){FRAME_KEY, 0, key, strlen(key)});
    }
}

static void handle_opened(void *context, unsigned node)
{
    struct bridge_guest *guest = context;
    const struct bridge_node *known = bridge_nodes_find(&guest->bridge->nodes, node);
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
    tell_house_key(guest);
    if (guest->bridge->home.is_open) {
        begin_serving(guest);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "serve", LOG_PAIRS("node", LOG_NUMBER(node)));
    look_at_reach(guest->bridge);
}

/* The node has answered a FRAME_BEGIN. Returns false if it was sent none with this number. */
static bool take_beginning(struct bridge_guest *guest, uint64_t beginning)
{
    const struct bridge_channels_calls calls = {NULL, handle_closed_channel, guest};
    if (beginning == guest->beginning && guest->bridge->home.is_open && !guest->is_begun) {
        bridge_channels_init(&guest->channels, guest->bridge->base, &guest->wire, &calls);
        guest->is_begun = true;
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
    (void)bridge_channels_add(&guest->channels, frame->channel, ends[1], false);
    bridge_core_send(
        guest->bridge,
        json_pack("{s:s, s:I, s:s}", "t", type, "node", (json_int_t)guest->node, "kind", kind),
        ends[0]);
    return true;
}

/* Hands a session over to the core, through the socket of the node's gate. */
static bool open_session(struct bridge_guest *guest, const struct frame *frame)
{
    struct bridge_channel *gate = bridge_channels_find(&guest->channels, FRAMES_CHANNEL_GATE);
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
    (void)bridge_channels_add(&guest->channels, frame->channel, ends[1], false);
    return bridge_channel_deliver(gate, frame->bytes, frame->len, ends[0]);
}

static bool take_frame(void *context, const struct frame *frame)
{
    struct bridge_guest *guest = context;
    if (guest->node == 0) {
        return true; /* the wire is about to end */
    }
    if (frame->kind == FRAME_BEGIN) {
        return take_beginning(guest, frame->channel);
    }
    if (!guest->is_begun) {
        return true; /* meant for a core that has ended */
    }
    if (frame->kind != FRAME_OPEN) {
        return bridge_channels_take_frame(&guest->channels, frame);
    }
    if (bridge_channels_find(&guest->channels, frame->channel) != NULL) {
        return false;
    }
    return (frame->channel >> NODES_CONN_SHIFT == 0 ? open_process : open_session)(guest, frame);
}

static void resume_channels(void *context)
{
    struct bridge_guest *guest = context;
    if (guest->is_begun) {
        bridge_channels_resume(&guest->channels);
    }
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
    bool is_known = bridge_nodes_include_address(&bridge->nodes, &address);
    if (!holds_house(bridge) || has_many_unproved(&bridge->home, is_known)) {
        close(accepted);
        return;
    }
    struct bridge_guest *guest = must_allocate(sizeof *guest);
    const struct bridge_wire_calls calls = {.find_key = find_key,
                                            .opened = handle_opened,
                                            .take_frame = take_frame,
                                            .has_room = resume_channels,
                                            .ended = handle_ended,
                                            .context = guest};
    guest->bridge = bridge;
    guest->is_from_known = is_known;
    guest->again = loop_make_event(bridge->base, -1, 0, begin_again, guest);
    LIST_INSERT_HEAD(&bridge->home.guests, guest, in_guests);
    bridge_wire_accept(&guest->wire, bridge, accepted, &calls);
}

void bridge_home_begin(struct bridge *bridge)
{
    LIST_INIT(&bridge->home.guests);
    bridge->home.accept = loop_watch(bridge->base, bridge->setup->listener, EV_READ | EV_PERSIST,
                                     accept_bridge, bridge);
    bridge->home.resume = loop_make_event(bridge->base, -1, 0, accept_again, bridge);
    bridge->home.alone = loop_make_event(bridge->base, -1, EV_PERSIST, ask_to_leave_house, bridge);
}

void bridge_home_end(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    while (guest != NULL) {
        struct bridge_guest *next = LIST_NEXT(guest, in_guests);
        free_guest(guest);
        guest = next;
    }
    event_free(bridge->home.alone);
    event_free(bridge->home.resume);
    event_free(bridge->home.accept);
}

void bridge_home_open(struct bridge *bridge)
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

void bridge_home_close(struct bridge *bridge)
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

void bridge_home_follow_nodes(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    bridge->home.is_open = bridge->home.is_open && holds_house(bridge);
    while (guest != NULL) {
        struct bridge_guest *next = LIST_NEXT(guest, in_guests);
        const struct bridge_node *known =
            guest->node == 0 ? NULL : bridge_nodes_find(&bridge->nodes, guest->node);
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

void bridge_home_tell_house_key(struct bridge *bridge)
{
    struct bridge_guest *guest = LIST_FIRST(&bridge->home.guests);
    for (; guest != NULL; guest = LIST_NEXT(guest, in_guests)) {
        if (guest->node != 0) {
            tell_house_key(guest);
        }
    }
}
