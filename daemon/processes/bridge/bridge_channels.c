#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"

#include <event2/event.h>
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

/* most packets read from a socket before the others have their turn */
#define PACKETS_PER_PASS 16
/* Credit is given back in pieces of this size or more, so that few frames do that. */
#define CREDIT_PIECE (BRIDGE_CHANNEL_WINDOW / 4)

static int compare_ids(const void *a, const void *b)
{
    const struct bridge_channel *left = a;
    const struct bridge_channel *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static void remove_channel(struct bridge_channel *channel)
{
    tdelete(channel, &channel->set->by_id, compare_ids);
    LIST_REMOVE(channel, in_all);
    if (channel->is_waiting) {
        LIST_REMOVE(channel, in_waiting);
    }
    event_free(channel->writable);
    event_free(channel->readable);
    bridge_queue_clear(&channel->queue);
    free(channel->opening);
    if (!channel->is_borrowed) {
        close(channel->socket);
    }
    free(channel);
}

/* Closes a channel whose socket is of no more use, and tells the other bridge unless it knows. */
static void close_channel(struct bridge_channel *channel)
{
    const struct bridge_channels *set = channel->set;
    if (!channel->is_ending) {
        bridge_wire_send(set->wire, &(const struct frame){FRAME_CLOSE, channel->id, NULL, 0});
    }
    set->calls.closed(set->calls.context, channel);
    remove_channel(channel);
}

static bool has_credit(const struct bridge_channel *channel)
{
    return channel->credit >= bridge_queue_cost(PACKET_MAX);
}

/* Stops reading from the socket if the next packet could not be sent on. Returns true if so. */
static bool pause_if_needed(struct bridge_channel *channel)
{
    struct bridge_channels *set = channel->set;
    bool is_full = bridge_wire_is_full(set->wire);
    if (has_credit(channel) && !is_full) {
        return false;
    }
    event_del(channel->readable);
    if (is_full && !channel->is_waiting) {
        channel->is_waiting = true;
        LIST_INSERT_HEAD(&set->waiting, channel, in_waiting);
    }
    return true;
}

static void read_again(struct bridge_channel *channel)
{
    if (has_credit(channel) && !channel->is_waiting && !channel->is_ending &&
        event_add(channel->readable, NULL) != 0) {
        abort();
    }
}

void bridge_channel_send_frame(struct bridge_channel *channel, const struct frame *frame)
{
    channel->credit -= bridge_queue_cost(frame->len);
    bridge_wire_send(channel->set->wire, frame);
}

/* Carries a packet that was read from the socket to the other bridge. */
static void carry_packet(struct bridge_channel *channel, size_t len, int fd)
{
    const struct bridge_channels *set = channel->set;
    if (set->calls.take_packet != NULL &&
        set->calls.take_packet(set->calls.context, channel, set->buffer, len, fd)) {
        return;
    }
    fd_close(fd);
    bridge_channel_send_frame(channel,
                              &(const struct frame){FRAME_DATA, channel->id, set->buffer, len});
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct bridge_channel *channel = context;
    const struct bridge_channels *set = channel->set;
    bool takes_fds = set->calls.take_packet != NULL && channel->id == FRAMES_CHANNEL_GATE;
    for (int i = 0; i < PACKETS_PER_PASS && !pause_if_needed(channel); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, set->buffer, &len, takes_fds ? &fd : NULL)) {
        case PACKET_OK:
            carry_packet(channel, len, fd);
            break;
        case PACKET_AGAIN:
            return;
        case PACKET_CLOSED:
        case PACKET_BAD:
            close_channel(channel);
            return;
        }
    }
}

/* Gives credit back for what has left. */
static void give_credit(struct bridge_channel *channel)
{
    char credit[FRAMES_CREDIT_BYTES];
    if (channel->owed < CREDIT_PIECE) {
        return;
    }
    frames_write_credit(credit, (uint32_t)channel->owed);
    channel->owed = 0;
    bridge_wire_send(channel->set->wire,
                     &(const struct frame){FRAME_CREDIT, channel->id, credit, sizeof credit});
}

/* Sends the packets that wait for the socket. The channel may be removed by this. */
static void send_packets(struct bridge_channel *channel)
{
    size_t sent = 0;
    enum bridge_queue_result result = bridge_queue_send(&channel->queue, channel->socket, &sent);
    channel->held -= sent;
    channel->owed += sent;
    if (result == BRIDGE_QUEUE_CLOSED || (result == BRIDGE_QUEUE_SENT && channel->is_ending)) {
        close_channel(channel);
        return;
    }
    give_credit(channel);
    if (result == BRIDGE_QUEUE_SENT) {
        event_del(channel->writable);
    } else if (event_add(channel->writable, NULL) != 0) {
        abort();
    }
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    send_packets(context);
}

bool bridge_channel_deliver(struct bridge_channel *channel, const char *bytes, size_t len, int fd)
{
    if (channel->held + channel->owed + bridge_queue_cost(len) > BRIDGE_CHANNEL_WINDOW) {
        fd_close(fd);
        return false;
    }
    channel->held += bridge_queue_cost(len);
    bridge_queue_add(&channel->queue, bytes, len, fd);
    if (channel->queue.count == 1) {
        send_packets(channel);
    }
    return true;
}

void bridge_channels_init(struct bridge_channels *set, struct event_base *base,
                          struct bridge_wire *wire, const struct bridge_channels_calls *calls)
{
    *set = (struct bridge_channels){.calls = *calls, .base = base, .wire = wire};
    set->buffer = must_allocate(PACKET_MAX);
}

void bridge_channels_clear(struct bridge_channels *set)
{
    struct bridge_channel *channel = LIST_FIRST(&set->all);
    while (channel != NULL) {
        struct bridge_channel *next = LIST_NEXT(channel, in_all);
        remove_channel(channel);
        channel = next;
    }
    free(set->buffer);
    set->buffer = NULL;
}

struct bridge_channel *bridge_channels_add(struct bridge_channels *set, uint64_t id, int socket,
                                           bool is_borrowed)
{
    struct bridge_channel *channel = must_allocate(sizeof *channel);
    channel->id = id;
    channel->socket = socket;
    channel->is_borrowed = is_borrowed;
    channel->set = set;
    channel->credit = BRIDGE_CHANNEL_WINDOW;
    bridge_queue_init(&channel->queue);
    channel->readable = event_new(set->base, socket, EV_READ | EV_PERSIST, read_packets, channel);
    channel->writable =
        event_new(set->base, socket, EV_WRITE | EV_PERSIST, send_when_writable, channel);
    if (channel->readable == NULL || channel->writable == NULL ||
        event_add(channel->readable, NULL) != 0 ||
        tsearch(channel, &set->by_id, compare_ids) == NULL) {
        abort();
    }
    LIST_INSERT_HEAD(&set->all, channel, in_all);
    return channel;
}

struct bridge_channel *bridge_channels_find(const struct bridge_channels *set, uint64_t id)
{
    const struct bridge_channel wanted = {.id = id};
    struct bridge_channel *const *found = tfind(&wanted, &set->by_id, compare_ids);
    return found != NULL ? *found : NULL;
}

/* The other bridge has closed the channel: closes it here once nothing waits for the socket. */
static void end_channel(struct bridge_channel *channel)
{
    channel->is_ending = true;
    event_del(channel->readable);
    if (channel->queue.count == 0) {
        close_channel(channel);
    }
}

static bool take_credit(struct bridge_channel *channel, uint32_t credit)
{
    if (credit > BRIDGE_CHANNEL_WINDOW - channel->credit) {
        return false;
    }
    channel->credit += credit;
    read_again(channel);
    return true;
}

bool bridge_channels_take_frame(struct bridge_channels *set, const struct frame *frame)
{
    struct bridge_channel *channel = bridge_channels_find(set, frame->channel);
    if (channel == NULL || channel->is_ending) {
        return true; /* this end has closed the channel while the frame was under way */
    }
    switch (frame->kind) {
    case FRAME_DATA:
        return bridge_channel_deliver(channel, frame->bytes, frame->len, -1);
    case FRAME_CLOSE:
        end_channel(channel);
        return true;
    case FRAME_CREDIT:
        return take_credit(channel, frames_read_credit(frame));
    case FRAME_BEGIN:
    case FRAME_OPEN:
    case FRAME_PING:
    case FRAME_KEY:
        break;
    }
    return false;
}

void bridge_channels_resume(struct bridge_channels *set)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&set->waiting)) != NULL) {
        LIST_REMOVE(channel, in_waiting);
        channel->is_waiting = false;
        read_again(channel);
    }
}
