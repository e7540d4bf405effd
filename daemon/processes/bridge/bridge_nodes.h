#pragma once

#include "daemon/processes/bridge/bridge.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/socket.h>

#define BRIDGE_KEY_TEXT_MAX 128

/* A node of the house, as the core tells it. */
struct bridge_node {
    unsigned node;
    bool is_alive;                   /* the database says so */
    struct sockaddr_storage address; /* of its bridge */
    socklen_t address_len;
    char key[BRIDGE_KEY_TEXT_MAX]; /* public key: "ssh-ed25519 AAAA…" */
};

/* What the core's message `nodes` says. */
struct bridge_nodes {
    unsigned self;
    unsigned holder; /* the node that holds the house; 0: none, or not known */
    int64_t turn;    /* number of the message, which the answer `released` repeats */
    size_t count;
    struct bridge_node *list; /* owned */
};

/* Reads the message. Leaves out nodes with a bad address or key, with a line on the log. Returns
 * false, and changes nothing, if the message has another form. Otherwise frees the former list. */
bool bridge_nodes_read(struct bridge_nodes *nodes, const json_t *message) MUST_CHECK;
void bridge_nodes_clear(struct bridge_nodes *nodes);

/* Returns NULL if there is no such node. */
const struct bridge_node *bridge_nodes_find(const struct bridge_nodes *nodes, unsigned node);

/* True if a node has this address; the port does not count. */
bool bridge_nodes_include_address(const struct bridge_nodes *nodes,
                                  const struct sockaddr_storage *address);

/* True if both nodes have the same address, port and key. */
bool bridge_nodes_are_same(const struct bridge_node *a, const struct bridge_node *b);
