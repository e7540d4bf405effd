#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packets on their way to or from a simulated core. Each arrives at its time; packets that are due
 * at the same time arrive in the order in which they were sent. */

enum net_kind {
    NET_CONNECT,    /* the gate passes a new session to the core */
    NET_DISCONNECT, /* the peer has closed the connection */
    NET_PACKET,
};

struct net_packet {
    int64_t due_ms;
    uint64_t order;
    int64_t conn;
    enum net_kind kind;
    size_t len;
    char *bytes; /* the packet, NUL-terminated; the receiver frees it */
};

struct net {
    struct net_packet *packets; /* the packets, a heap with the earliest one first */
    size_t count, cap;
    uint64_t order;
};

void net_clear(struct net *net);

/* Sends a copy of the bytes. */
void net_send(struct net *net, int64_t due_ms, int64_t conn, enum net_kind kind, const char *bytes,
              size_t len);

/* Returns when the next packet is due; INT64_MAX when there is none. */
int64_t net_next_due_ms(const struct net *net);

/* Takes the next packet that is due by that time. Returns false when there is none. */
bool net_take_due_packet(struct net *net, int64_t now_ms, struct net_packet *packet) MUST_CHECK;

/* Drops all packets of this connection. */
void net_drop_packets(struct net *net, int64_t conn);
