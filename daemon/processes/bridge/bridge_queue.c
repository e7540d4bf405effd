#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"

#include <stdlib.h>
#include <string.h>

struct bridge_packet {
    TAILQ_ENTRY(bridge_packet) in_queue;
    int fd;
    size_t len;
    char bytes[];
};

void bridge_queue_init(struct bridge_queue *queue)
{
    queue->count = 0;
    TAILQ_INIT(&queue->packets);
}

/* Frees a packet. Overwrites it first, since it may contain a password. */
static void free_packet(struct bridge_queue *queue, struct bridge_packet *packet)
{
    TAILQ_REMOVE(&queue->packets, packet, in_queue);
    queue->count--;
    fd_close(packet->fd);
    explicit_bzero(packet->bytes, packet->len);
    free(packet);
}

void bridge_queue_clear(struct bridge_queue *queue)
{
    struct bridge_packet *packet = TAILQ_FIRST(&queue->packets);
    while (packet != NULL) {
        struct bridge_packet *next = TAILQ_NEXT(packet, in_queue);
        free_packet(queue, packet);
        packet = next;
    }
}

void bridge_queue_add(struct bridge_queue *queue, const char *bytes, size_t len, int fd)
{
    struct bridge_packet *packet = must_allocate(sizeof *packet + len);
    packet->fd = fd;
    packet->len = len;
    memcpy(packet->bytes, bytes, len);
    TAILQ_INSERT_TAIL(&queue->packets, packet, in_queue);
    queue->count++;
}

enum bridge_queue_result bridge_queue_send(struct bridge_queue *queue, int socket, size_t *cost)
{
    struct bridge_packet *packet = TAILQ_FIRST(&queue->packets);
    while (packet != NULL) {
        struct bridge_packet *next = TAILQ_NEXT(packet, in_queue);
        switch (packet_send(socket, packet->bytes, packet->len, packet->fd)) {
        case PACKET_OK:
            *cost += bridge_queue_cost(packet->len);
            free_packet(queue, packet);
            packet = next;
            break;
        case PACKET_AGAIN:
            return BRIDGE_QUEUE_WAITS;
        case PACKET_CLOSED:
        case PACKET_BAD:
            return BRIDGE_QUEUE_CLOSED;
        }
    }
    return BRIDGE_QUEUE_SENT;
}
