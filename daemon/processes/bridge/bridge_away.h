#pragma once

#include "daemon/processes/bridge/bridge_channels.h"
#include "daemon/processes/bridge/bridge_nodes.h"

#include <stdbool.h>

struct bridge;

/*
 * The bridge of a node that does not hold the house: carries the packets of the node's gate,
 * workers and sessions to the bridge of the node that does, from when that says that its core takes
 * them (FRAME_BEGIN), and anew when it says so again. When the connection is lost, reads nothing
 * more, and closes only its own copies of the sessions' sockets: the gate keeps others, and hands
 * all sessions over again when the next core asks it to start over, as after a restart of the core.
 * Tells the gate that the house is away when the connection is lost or silent, or when the core of
 * that node ends.
 */
struct bridge_away {
    struct bridge_node holder; /* the node that holds the house; 0: none, or the own node */
    struct bridge_wire wire;
    struct bridge_channels channels;
    bool is_carrying;   /* the core of the holder takes the processes, and the channels exist */
    bool is_cut_logged; /* the log says that the wire is cut; nothing was carried since */
    int64_t opened_ms;  /* when the wire was opened, monotonic; 0: it is not open */
    int64_t pause_ms;   /* pause before the next attempt to connect */
    uint64_t operators; /* operators' programs that were carried so far */
    struct event *next; /* begins the next attempt */
};

void bridge_away_begin(struct bridge *bridge);
void bridge_away_end(struct bridge *bridge);

/* Acts on a new list of nodes. If the own node now holds the house, the bridge no longer reads the
 * sockets of the own gate, workers and sessions when this returns. */
void bridge_away_follow_nodes(struct bridge *bridge);

/* Tells the gate that the own core cannot use its data, unless the gate is carried to the holder.
 */
void bridge_away_tell_waiting(const struct bridge *bridge);

/* Carries the program of an operator, which is then asked to start over, to the house. If that
 * cannot be reached, sends the program the refusal, a message, and closes the socket. Takes the
 * socket over. */
void bridge_away_take_operator(struct bridge *bridge, int socket, const char *refusal);
