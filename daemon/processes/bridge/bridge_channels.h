#pragma once

#include "daemon/processes/bridge/bridge_queue.h"
#include "daemon/processes/bridge/bridge_wire.h"

#include <stdint.h>
#include <sys/queue.h>

/*
 * The sockets that a wire carries. Packets are read from a socket only while the other bridge has
 * given credit for a packet of any size and the wire is not full; otherwise they stay in the
 * socket, and whoever sends them notices that it is full. Packets that arrive wait until their
 * socket has room, and credit is given back as they leave. So at each end at most
 * BRIDGE_CHANNEL_WINDOW wait for a socket, and one that does not read holds up no other.
 */
#define BRIDGE_CHANNEL_WINDOW (2 * bridge_queue_cost(PACKET_MAX))

struct bridge_channels;

struct bridge_channel {
    uint64_t id;
    int socket;
    bool is_borrowed; /* the socket stays open when the channel is closed */
    char *opening;    /* the gate's message that handed a session over; NULL: none */
    struct bridge_channels *set;
    size_t credit;   /* what may still be sent to the other bridge */
    size_t held;     /* what has arrived and waits for the socket */
    size_t owed;     /* credit that is to be given back to the other bridge */
    bool is_ending;  /* the other bridge has closed the channel: close it once nothing waits */
    bool is_waiting; /* in the list of channels that wait for room in the wire */
    struct bridge_queue queue;
    struct event *readable;
    struct event *writable;
    LIST_ENTRY(bridge_channel) in_all;
    LIST_ENTRY(bridge_channel) in_waiting;
};

LIST_HEAD(bridge_channel_list, bridge_channel);

/* What the owner of the channels is called for. */
struct bridge_channels_calls {
    /* Offers a packet that was read from a socket, with the descriptor that came with it (-1:
     * none). Returns true if the owner has handled the packet and taken over the descriptor; false
     * to carry the packet as it is. NULL: no packet is handled otherwise, and no descriptor is
     * taken. */
    bool (*take_packet)(void *context, struct bridge_channel *channel, const char *bytes,
                        size_t len, int fd);
    /* The socket of a channel has been closed by its other end, or after the other bridge had
     * closed the channel. The channel is removed afterwards. */
    void (*closed)(void *context, const struct bridge_channel *channel);
    void *context;
};

struct bridge_channels {
    struct bridge_channels_calls calls;
    struct event_base *base;
    struct bridge_wire *wire; /* borrowed */
    void *by_id;              /* search tree (tsearch(3)) */
    struct bridge_channel_list all;
    struct bridge_channel_list waiting; /* those that wait for room in the wire */
    char *buffer;                       /* of PACKET_MAX bytes */
};

void bridge_channels_init(struct bridge_channels *set, struct event_base *base,
                          struct bridge_wire *wire, const struct bridge_channels_calls *calls);

/* Closes all channels without telling anybody. */
void bridge_channels_clear(struct bridge_channels *set);

/* Adds a channel, whose id must be new, and begins to read from its socket. The other bridge must
 * have been told by FRAME_OPEN, or have told. Unless the socket is borrowed, takes it over. */
struct bridge_channel *bridge_channels_add(struct bridge_channels *set, uint64_t id, int socket,
                                           bool is_borrowed);
struct bridge_channel *bridge_channels_find(const struct bridge_channels *set, uint64_t id);

/* Handles a frame of the kinds data, close and credit. Returns false if it breaks the rules. */
bool bridge_channels_take_frame(struct bridge_channels *set, const struct frame *frame) MUST_CHECK;

/* Sends a frame that counts as a packet of this channel. */
void bridge_channel_send_frame(struct bridge_channel *channel, const struct frame *frame);

/* Gives a packet that has arrived to the channel's socket. Takes over the descriptor. Returns false
 * if it exceeds the credit that the other bridge had. */
bool bridge_channel_deliver(struct bridge_channel *channel, const char *bytes, size_t len,
                            int fd) MUST_CHECK;

/* Reads again from the sockets that waited for room in the wire. */
void bridge_channels_resume(struct bridge_channels *set);
