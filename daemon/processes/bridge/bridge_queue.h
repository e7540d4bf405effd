#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

/* Packets that wait until their socket has room, in order; some have a descriptor. */
struct bridge_packet;
TAILQ_HEAD(bridge_packets, bridge_packet);

struct bridge_queue {
    struct bridge_packets packets;
    size_t count;
};

/* What a packet counts for in the limits of a queue, for its bytes and for the memory around
 * them. */
#define BRIDGE_QUEUE_PACKET_COST 64
static inline size_t bridge_queue_cost(size_t len)
{
    return len + BRIDGE_QUEUE_PACKET_COST;
}

enum bridge_queue_result {
    BRIDGE_QUEUE_SENT = 0, /* nothing waits any more */
    BRIDGE_QUEUE_WAITS,    /* the socket is full */
    BRIDGE_QUEUE_CLOSED,   /* the other end is closed */
};

void bridge_queue_init(struct bridge_queue *queue);

/* Drops the packets that wait, and closes their descriptors. */
void bridge_queue_clear(struct bridge_queue *queue);

/* Adds a packet of 1 to PACKET_MAX bytes. Takes over the descriptor; -1: none. Aborts if memory
 * runs out. */
void bridge_queue_add(struct bridge_queue *queue, const char *bytes, size_t len, int fd);

/* Sends what the socket has room for. Adds to *cost what the packets sent counted for. */
enum bridge_queue_result bridge_queue_send(struct bridge_queue *queue, int socket,
                                           size_t *cost) MUST_CHECK;
