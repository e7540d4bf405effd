#pragma once

#include "daemon/processes/bridge/bridge_channels.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct bridge;
struct event;
struct bridge_guest;

/* Most connections, of strangers and of nodes' addresses each, that have not proved yet which node
 * they come from. */
#define BRIDGE_HOME_UNPROVED_MAX 16

LIST_HEAD(bridge_guests, bridge_guest);

/*
 * The bridge of the node that holds the house: accepts connections from the bridges of other nodes,
 * and gives the core a socket for each gate, worker and session that they carry. While the own node
 * does not hold the house, connections are closed at once. When a core ends, the connections stay,
 * and all begins anew (FRAME_BEGIN) as soon as the next core takes the processes of other nodes.
 *
 * A node that cannot be reached by the others should not hold the house. So if, of the nodes that
 * are alive, fewer than half are connected for BRIDGE_HOME_ALONE_MS, the own one counted in, the
 * core is asked to leave the house to another node. If that node is no better off, as when no node
 * reaches any other, the house would go round for ever: so each node asks only once in
 * BRIDGE_HOME_ASKS_EVERY_MS.
 */
#define BRIDGE_HOME_ALONE_MS 5000
#define BRIDGE_HOME_ASKS_EVERY_MS 600000

struct bridge_home {
    struct bridge_guests guests;
    bool is_open;        /* the core takes the processes of other nodes */
    bool is_told;        /* the core knows `reached` */
    unsigned reached;    /* other nodes that are alive and connected */
    struct event *alone; /* waits while these are fewer than half */
    bool has_asked;      /* the core was asked to leave the house to another node, */
    int64_t asked_ms;    /* at this monotonic time */
    struct event *accept;
    struct event *resume; /* accepts again after a pause */
};

void bridge_home_begin(struct bridge *bridge);
void bridge_home_end(struct bridge *bridge);

/* Acts on a new list of nodes: disconnects nodes that are not in it or have another key, and all
 * if the own node does not hold the house. */
void bridge_home_follow_nodes(struct bridge *bridge);

/* From now on, the core takes the processes of other nodes. Does nothing if it does so already. */
void bridge_home_open(struct bridge *bridge);

/* A new core has begun: gives it nothing until bridge_home_open. If the own node held the house,
 * tells its gate that the house is away. */
void bridge_home_close(struct bridge *bridge);

/* Tells the bridges of the other nodes the key of the house's stored answers. */
void bridge_home_tell_house_key(struct bridge *bridge);
