#pragma once

#include "daemon/processes/core/core.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

struct core;
struct core_bridge;

/*
 * The core's side of its protocol with the bridge of its node (PROTOCOL.md, "The bridge"). The core
 * tells the bridge the nodes of the house, and which of them holds it. Before a core opens the
 * house, it waits until the bridge has released the sockets of the own gate and workers, which the
 * bridge reads while another node holds the house. From then on the bridge gives the core the
 * sockets of other nodes (core_nodes.h).
 */

/* A node of the house. The texts are borrowed for the call. */
struct core_bridge_node {
    unsigned node;       /* from 1 to CORE_NODES_MAX */
    const char *address; /* of its bridge: an IP address and a port, such as "10.0.0.1:4022" */
    const char *key;     /* its public key: "ssh-ed25519 AAAA…" */
    bool is_alive;       /* the database says so */
};

struct core_bridge_nodes {
    unsigned self;
    unsigned holder; /* the node that holds the house; 0: none */
    size_t count;
    const struct core_bridge_node *list; /* borrowed for the call */
};

/* Begins to listen to the bridge, in the core's event loop. The house need not be open. */
struct core_bridge *core_bridge_new(struct core *core, int socket);

/* Also closes the socket. Ignores NULL. */
void core_bridge_free(struct core_bridge *bridge);

/* Tells the bridge the nodes, now and whenever a bridge starts. If the holder is the own node,
 * core_bridge_is_released is false until the bridge has answered this. */
void core_bridge_tell_nodes(struct core_bridge *bridge, const struct core_bridge_nodes *nodes);

/* Has the bridge tell the node's gate that this core cannot use its data, unless another node holds
 * the house and the bridge carries the gate there. */
void core_bridge_tell_waiting(const struct core_bridge *bridge);

/* Gives the bridge a copy of the socket of an operator's program, which it carries to the house; if
 * it cannot, it sends the program the refusal, a message. Returns false if the bridge takes nothing
 * at present. */
bool core_bridge_give_operator(const struct core_bridge *bridge, int socket,
                               const char *refusal) MUST_CHECK;

/* True once the bridge reads none of the own sockets any more. */
bool core_bridge_is_released(const struct core_bridge *bridge);

/* The house is open now: takes the sockets of other nodes, which wait until this call. */
void core_bridge_serve_nodes(struct core_bridge *bridge);

/* Returns how many other nodes that are alive are connected; 0 unless the own node holds the
 * house. */
unsigned core_bridge_count_reached(const struct core_bridge *bridge);

/* True if the bridge has asked to leave the house to another node, since too few nodes reach this
 * one (bridge_home.h). */
bool core_bridge_is_cut_off(const struct core_bridge *bridge);

/* Copies the key of the stored answers that the last holder of the house has used. Returns false if
 * this node was never connected to a holder. */
bool core_bridge_copy_answers_key(const struct core_bridge *bridge, uint8_t key[CORE_KEY_BYTES]);

/* Tells the other nodes the key of the stored answers. Only for the core that holds the house. */
void core_bridge_tell_answers_key(struct core_bridge *bridge, const uint8_t key[CORE_KEY_BYTES]);
