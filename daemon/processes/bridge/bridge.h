#pragma once

#include "daemon/metrics/metrics.h"
#include "games/macros.h"

#include <stddef.h>
#include <stdint.h>

#define BRIDGE_WORKERS_MAX 8
#define BRIDGE_NODES_MAX 511

/*
 * The bridge of a node: one process, started if the house runs on several nodes. One node's core
 * holds the house. On the other nodes the bridge takes the place of the core for the node's own
 * gate and workers: it reads their sockets and those of the sessions, and carries the packets to
 * the bridge of the node that holds the house, over one SSH connection. There it gives the core a
 * socket for each, so that the core sees them like its own (README.md, "Several nodes").
 */
struct bridge_setup {
    int core_socket; /* the bridge's end of its socket pair with the core (packet.h) */
    int gate_socket; /* a copy of the core's end of the gate's socket pair */
    unsigned worker_count;
    struct {
        int socket;       /* a copy of the core's end */
        const char *kind; /* "auth" or "bot" */
    } workers[BRIDGE_WORKERS_MAX];
    int listener;            /* listening socket for other bridges */
    const char *private_key; /* the key of this node, in OpenSSH's format; borrowed */
    uint64_t rekey_bytes;    /* the bridges exchange keys again after so many bytes */
    struct metrics metrics;  /* the page is borrowed */
};

/*
 * Serves until SIGTERM, or until the core's socket is closed; then returns 0. Opens no file and
 * makes no other sockets than TCP connections to the bridges of other nodes. Returns 1, with a line
 * on the log, if the key cannot be read.
 */
int bridge_run(const struct bridge_setup *setup) MUST_CHECK;
