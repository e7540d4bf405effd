#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core;
struct event;
struct link;

/*
 * The gates, workers and sessions of other nodes, which the bridge has connected (core_bridge.h).
 *
 * If the connection between the nodes is lost, all their sockets close at once. The sessions then
 * still run, and their gate hands them over again when it is connected again. So a link to such a
 * session stays for CORE_NODES_AWAY_MS without a socket: for the house, that is a session that
 * does not read. The bridge says if a session's process has really ended.
 *
 * After the start of a core, the house forgets the stored connections that no gate hands over. With
 * several nodes, that waits until the gates of all nodes have handed over theirs, but no longer
 * than CORE_NODES_AWAY_MS.
 */
#define CORE_NODES_AWAY_MS 15000
#define CORE_NODES_MAX 511

/* The numbers of sessions of node n begin at n << CORE_NODES_SHIFT. The numbers of the gates and
 * workers of other nodes are above those of all sessions. */
#define CORE_NODES_SHIFT 48
#define CORE_NODES_CONNS ((int64_t)1 << 58)

struct core_nodes {
    bool is_awaiting;        /* gates still have to hand over their sessions to this new core */
    bool has_own_gate_ended; /* the own gate has handed over its sessions */
    bool is_expected[CORE_NODES_MAX + 1]; /* nodes whose gates have not handed over theirs */
    int64_t await_until_ms;               /* when the house is told all the same, monotonic */
    struct event *timer;
};

/* Begins to wait for the gates of the nodes with these numbers. */
void core_nodes_await(struct core *core, const unsigned *nodes, size_t count);
void core_nodes_free(struct core *core);

/* Adds the gate of another node, in place of one that was connected before, or a worker ("auth" or
 * "bot"). Takes over the socket. */
void core_nodes_add_gate(struct core *core, unsigned node, int socket);
void core_nodes_add_worker(struct core *core, unsigned node, const char *kind, int socket);

/* The process of a session of another node has ended. */
void core_nodes_note_session_end(struct core *core, int64_t conn);

/* True if the link is a gate or worker of another node. */
bool core_nodes_is_of_other_node(const struct link *link);

/* True if this gate may hand over a session with this number. */
bool core_nodes_may_hand_over(const struct link *gate, int64_t conn);

/* The gate has sent connections_end. Returns true if the house is to be told now. */
bool core_nodes_end_hand_over(struct core *core, const struct link *gate);

/* If the socket of a session has closed only because the connection with its node is lost, keeps
 * the link without a socket, and returns true. */
bool core_nodes_keep_link(struct core *core, struct link *link);
