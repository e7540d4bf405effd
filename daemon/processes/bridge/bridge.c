#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"

#include <event2/event.h>
#include <libssh/libssh.h>
#include <search.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool bridge_wire_is_full(const struct bridge_wire *wire);
static void read_waiting_channels(struct bridge_wire *wire);

#define SIGN_MS (LIFE_EVERY_MS / 2)

static void give_sign_of_life(UNUSED int socket, UNUSED short events, void *context)
{
    const struct bridge *bridge = context;
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
}

static void end_loop(UNUSED int signal_number, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    event_base_loopbreak(bridge->base);
}

static void begin_events(struct bridge *bridge)
{
    bridge->base = must_not_be_null(event_base_new());
    bridge->stop = loop_watch(bridge->base, SIGTERM, EV_SIGNAL | EV_PERSIST, end_loop, bridge);
    bridge->life = loop_make_event(bridge->base, -1, EV_PERSIST, give_sign_of_life, bridge);
    loop_begin_ms(bridge->life, SIGN_MS);
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
    bridge_roles_begin(bridge);
}

int bridge_run(const struct bridge_setup *setup)
{
    struct bridge bridge = {.setup = setup};
    if (ssh_init() != SSH_OK) {
        return 1;
    }
    bridge.host = bridge_ssh_host_new(setup->private_key, setup->rekey_bytes);
    if (bridge.host == NULL) {
        return 1;
    }
    begin_events(&bridge);
    (void)event_base_dispatch(bridge.base);
    bridge_roles_end(&bridge);
    event_free(bridge.life);
    event_free(bridge.stop);
    event_base_free(bridge.base);
    bridge_ssh_host_free(bridge.host);
    sodium_memzero(bridge.house_key, sizeof bridge.house_key);
    return 0;
}

/* The greeting is this word and the version, two bytes. */
static const char word[] = "bridge";

#define WORD_BYTES (sizeof word - 1)
#define UNREAD_MAX (FRAMES_HEADER_BYTES + PACKET_MAX + FRAMES_CHUNK_MAX)

static uint64_t read_number(const char *bytes, size_t len)
{
    uint64_t number = 0;
    for (size_t i = 0; i < len; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

static void write_number(char *bytes, size_t len, uint64_t number)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)(unsigned char)(number >> (8 * (len - 1 - i)) & 0xFF);
    }
}

void frames_reader_init(struct frames_reader *reader)
{
    *reader = (struct frames_reader){.read_to = 0};
    bytes_init(&reader->unread, UNREAD_MAX);
}

void frames_reader_clear(struct frames_reader *reader)
{
    bytes_clear(&reader->unread);
}

void frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len)
{
    bytes_drop_first(&reader->unread, reader->read_to);
    reader->read_to = 0;
    if (!bytes_add(&reader->unread, bytes, len)) {
        abort(); /* the caller has not read the frames before */
    }
}

static bool is_readable_version(uint64_t version)
{
    return version + 1 >= FRAMES_VERSION && version <= FRAMES_VERSION + 1 && version > 0;
}

static enum frames_result read_greeting(struct frames_reader *reader)
{
    const char *at = reader->unread.at;
    if (reader->unread.len < FRAMES_GREETING_BYTES) {
        return FRAMES_MORE;
    }
    if (memcmp(at, word, WORD_BYTES) != 0 ||
        !is_readable_version(read_number(at + WORD_BYTES, FRAMES_GREETING_BYTES - WORD_BYTES))) {
        return FRAMES_BAD;
    }
    reader->is_greeted = true;
    reader->read_to = FRAMES_GREETING_BYTES;
    return FRAMES_OK;
}

/* True if a frame of this kind may have this length. */
static bool is_length_allowed(const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_OPEN:
    case FRAME_DATA:
    case FRAME_KEY:
        return frame->len > 0 && frame->len <= PACKET_MAX;
    case FRAME_BEGIN:
    case FRAME_CLOSE:
    case FRAME_PING:
        return frame->len == 0;
    case FRAME_CREDIT:
        return frame->len == FRAMES_CREDIT_BYTES;
    }
    return false; /* there is no such kind */
}

enum frames_result frames_read(struct frames_reader *reader, struct frame *frame)
{
    enum frames_result greeted = reader->is_greeted ? FRAMES_OK : read_greeting(reader);
    size_t left = reader->unread.len - reader->read_to;
    if (greeted != FRAMES_OK || left < FRAMES_HEADER_BYTES) {
        return greeted != FRAMES_OK ? greeted : FRAMES_MORE;
    }
    const char *at = reader->unread.at + reader->read_to;
    *frame = (struct frame){.kind = (enum frame_kind)(unsigned char)at[0],
                            .channel = read_number(at + 1, 8),
                            .bytes = at + FRAMES_HEADER_BYTES,
                            .len = (size_t)read_number(at + 9, 4)};
    if (!is_length_allowed(frame)) {
        return FRAMES_BAD;
    }
    if (left < FRAMES_HEADER_BYTES + frame->len) {
        return FRAMES_MORE;
    }
    reader->read_to += FRAMES_HEADER_BYTES + frame->len;
    return FRAMES_OK;
}

bool frames_write_greeting(struct bytes *out)
{
    char greeting[FRAMES_GREETING_BYTES];
    memcpy(greeting, word, WORD_BYTES);
    write_number(greeting + WORD_BYTES, sizeof greeting - WORD_BYTES, FRAMES_VERSION);
    return bytes_add(out, greeting, sizeof greeting);
}

bool frames_write(struct bytes *out, const struct frame *frame)
{
    char header[FRAMES_HEADER_BYTES];
    if (out->max - out->len < sizeof header + frame->len) {
        return false;
    }
    header[0] = (char)frame->kind;
    write_number(header + 1, 8, frame->channel);
    write_number(header + 9, 4, frame->len);
    return bytes_add(out, header, sizeof header) &&
           (frame->len == 0 || bytes_add(out, frame->bytes, frame->len));
}

void frames_write_credit(char bytes[FRAMES_CREDIT_BYTES], uint32_t credit)
{
    write_number(bytes, FRAMES_CREDIT_BYTES, credit);
}

uint32_t frames_read_credit(const struct frame *frame)
{
    return (uint32_t)read_number(frame->bytes, FRAMES_CREDIT_BYTES);
}

/* Gives SSH what waits, as far as it takes it. */
static void send_waiting(struct bridge_wire *wire)
{
    size_t sent = wire->waiting.len == 0
                      ? 0
                      : bridge_ssh_write(wire->ssh, wire->waiting.at, wire->waiting.len);
    bytes_drop_first(&wire->waiting, sent);
    if (wire->waiting.len == 0) {
        bytes_clear(&wire->waiting); /* a connection that has been busy keeps no memory */
    }
}

void bridge_wire_handle_room(struct bridge_wire *wire)
{
    if (wire->waiting.len > 0) {
        send_waiting(wire);
    }
    if (!bridge_wire_is_full(wire)) {
        read_waiting_channels(wire);
    }
}

static void flush_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    bridge_wire_handle_room(context);
}

void bridge_wire_handle_end(const struct bridge_wire *wire, const char *why)
{
    wire->calls->ended(wire->context, wire->why != NULL ? wire->why : why);
}

static void end_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    bridge_wire_handle_end(context, "");
}

static void note_silence(struct bridge_wire *wire, bool is_silent)
{
    if (wire->is_silent != is_silent && wire->calls->silence != NULL) {
        wire->calls->silence(wire->context, is_silent);
    }
    wire->is_silent = is_silent;
}

static void ping_or_end(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge_wire *wire = context;
    int64_t silent_ms = clock_steady_ms() - wire->heard_ms;
    note_silence(wire, silent_ms > BRIDGE_WIRE_QUIET_MS);
    if (silent_ms > BRIDGE_WIRE_SILENCE_MS) {
        bridge_wire_end(wire, "the other bridge is silent");
    } else if (!bridge_wire_is_full(wire)) {
        bridge_wire_send(wire, &(const struct frame){.kind = FRAME_PING});
    }
}

void bridge_wire_handle_opened(struct bridge_wire *wire, unsigned node)
{
    wire->heard_ms = clock_steady_ms();
    wire->opened_ms = wire->heard_ms;
    if (!frames_write_greeting(&wire->waiting)) {
        abort(); /* nothing was written before */
    }
    loop_begin_ms(wire->ping, BRIDGE_WIRE_PING_MS);
    if (wire->calls->opened != NULL) {
        wire->calls->opened(wire->context, node);
    }
    event_active(wire->flush, EV_TIMEOUT, 0);
}

static void take_chunk(struct bridge_wire *wire, const char *bytes, size_t len)
{
    struct frame frame;
    enum frames_result result = FRAMES_OK;
    frames_reader_add(&wire->reader, bytes, len);
    while (wire->why == NULL && (result = frames_read(&wire->reader, &frame)) == FRAMES_OK) {
        if (frame.kind != FRAME_PING && !wire->calls->take_frame(wire->context, &frame)) {
            bridge_wire_end(wire, "the other bridge broke the rules");
        }
    }
    if (result == FRAMES_BAD) {
        bridge_wire_end(wire, "the other end is no bridge of this version");
    }
}

void bridge_wire_handle_received(struct bridge_wire *wire, const char *bytes, size_t len)
{
    wire->heard_ms = clock_steady_ms();
    note_silence(wire, false);
    for (size_t at = 0; at < len && wire->why == NULL; at += FRAMES_CHUNK_MAX) {
        take_chunk(wire, bytes + at, len - at < FRAMES_CHUNK_MAX ? len - at : FRAMES_CHUNK_MAX);
    }
}

static void begin(struct bridge_wire *wire, const struct bridge *bridge,
                  const struct bridge_wire_calls *calls, void *context)
{
    struct event_base *base = bridge->base;
    *wire = (struct bridge_wire){.calls = calls, .context = context, .base = base};
    frames_reader_init(&wire->reader);
    bytes_init(&wire->waiting, BRIDGE_WIRE_WAITING_MAX);
    wire->ping = loop_make_event(base, -1, EV_PERSIST, ping_or_end, wire);
    wire->flush = loop_make_event(base, -1, 0, flush_in_event_loop, wire);
    wire->end = loop_make_event(base, -1, 0, end_in_event_loop, wire);
}

void bridge_wire_connect(struct bridge_wire *wire, const struct bridge *bridge,
                         const struct bridge_node *node, const struct bridge_wire_calls *calls,
                         void *context)
{
    begin(wire, bridge, calls, context);
    wire->ssh = bridge_ssh_connect(bridge, node, wire);
}

void bridge_wire_accept(struct bridge_wire *wire, const struct bridge *bridge, int socket,
                        const struct bridge_wire_calls *calls, void *context)
{
    begin(wire, bridge, calls, context);
    wire->ssh = bridge_ssh_accept(bridge, socket, wire);
}

void bridge_wire_clear(struct bridge_wire *wire)
{
    if (wire->ssh == NULL) {
        return;
    }
    bridge_channels_clear(wire);
    bridge_ssh_free(wire->ssh);
    event_free(wire->end);
    event_free(wire->flush);
    event_free(wire->ping);
    bytes_clear(&wire->waiting);
    frames_reader_clear(&wire->reader);
    *wire = (struct bridge_wire){.ssh = NULL};
}

void bridge_wire_send(struct bridge_wire *wire, const struct frame *frame)
{
    if (wire->why != NULL) {
        return;
    }
    if (!frames_write(&wire->waiting, frame)) {
        bridge_wire_end(wire, "the other bridge does not read");
        return;
    }
    event_active(wire->flush, EV_TIMEOUT, 0);
}

/* True if frames with data must wait. */
static bool bridge_wire_is_full(const struct bridge_wire *wire)
{
    return wire->waiting.len >= BRIDGE_WIRE_FULL;
}

void bridge_wire_end(struct bridge_wire *wire, const char *why)
{
    if (wire->why == NULL) {
        wire->why = why;
        event_active(wire->end, EV_TIMEOUT, 0);
    }
}

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
    tdelete(channel, &channel->wire->by_id, compare_ids);
    LIST_REMOVE(channel, in_all);
    if (channel->is_waiting) {
        LIST_REMOVE(channel, in_waiting);
    }
    event_free(channel->writable);
    event_free(channel->readable);
    packet_queue_clear(&channel->queue);
    free(channel->opening);
    if (!channel->is_borrowed) {
        close(channel->socket);
    }
    free(channel);
}

/* Closes a channel whose socket is of no more use, and tells the other bridge unless it knows. */
static void close_channel(struct bridge_channel *channel)
{
    struct bridge_wire *wire = channel->wire;
    if (!channel->is_ending) {
        bridge_wire_send(wire, &(const struct frame){FRAME_CLOSE, channel->id, NULL, 0});
    }
    wire->calls->closed(wire->context, channel);
    remove_channel(channel);
}

static bool has_credit(const struct bridge_channel *channel)
{
    return channel->credit >= bridge_packet_cost(PACKET_MAX);
}

/* Stops reading from the socket if the next packet could not be sent on. Returns true if so. */
static bool pause_if_needed(struct bridge_channel *channel)
{
    struct bridge_wire *wire = channel->wire;
    bool is_full = bridge_wire_is_full(wire);
    if (has_credit(channel) && !is_full) {
        return false;
    }
    event_del(channel->readable);
    if (is_full && !channel->is_waiting) {
        channel->is_waiting = true;
        LIST_INSERT_HEAD(&wire->waiting_channels, channel, in_waiting);
    }
    return true;
}

static void read_again(struct bridge_channel *channel)
{
    if (has_credit(channel) && !channel->is_waiting && !channel->is_ending) {
        loop_begin(channel->readable);
    }
}

void bridge_channel_send_frame(struct bridge_channel *channel, const struct frame *frame)
{
    channel->credit -= bridge_packet_cost(frame->len);
    bridge_wire_send(channel->wire, frame);
}

/* Carries a packet that was read from the socket to the other bridge. */
static void carry_packet(struct bridge_channel *channel, size_t len, int fd)
{
    const struct bridge_wire *wire = channel->wire;
    if (wire->calls->take_packet != NULL &&
        wire->calls->take_packet(wire->context, channel, wire->buffer, len, fd)) {
        return;
    }
    fd_close(fd);
    bridge_channel_send_frame(channel,
                              &(const struct frame){FRAME_DATA, channel->id, wire->buffer, len});
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct bridge_channel *channel = context;
    char *buffer = channel->wire->buffer;
    bool takes_fds =
        channel->wire->calls->take_packet != NULL && channel->id == FRAMES_CHANNEL_GATE;
    for (int i = 0; i < PACKETS_PER_PASS && !pause_if_needed(channel); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, buffer, &len, takes_fds ? &fd : NULL)) {
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
    bridge_wire_send(channel->wire,
                     &(const struct frame){FRAME_CREDIT, channel->id, credit, sizeof credit});
}

/* Counts what has arrived and waits for the socket. */
static size_t count_held(const struct bridge_channel *channel)
{
    return channel->queue.bytes + channel->queue.count * BRIDGE_PACKET_COST;
}

/* Sends the packets that wait for the socket. The channel may be removed by this. */
static void send_packets(struct bridge_channel *channel)
{
    size_t held = count_held(channel);
    enum packet_result result = packet_queue_send(&channel->queue, channel->socket);
    channel->owed += held - count_held(channel);
    if (result == PACKET_CLOSED || result == PACKET_BAD ||
        (result == PACKET_OK && channel->is_ending)) {
        close_channel(channel);
        return;
    }
    give_credit(channel);
    if (result == PACKET_OK) {
        event_del(channel->writable);
    } else {
        loop_begin(channel->writable);
    }
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    send_packets(context);
}

bool bridge_channel_deliver(struct bridge_channel *channel, const char *bytes, size_t len, int fd)
{
    if (count_held(channel) + channel->owed + bridge_packet_cost(len) > BRIDGE_CHANNEL_WINDOW) {
        fd_close(fd);
        return false;
    }
    bool was_empty = channel->queue.count == 0;
    packet_queue_add(&channel->queue, bytes, len, fd);
    if (was_empty) {
        send_packets(channel);
    }
    return true;
}

void bridge_channels_begin(struct bridge_wire *wire)
{
    wire->is_carrying = true;
    wire->buffer = must_allocate(PACKET_MAX);
}

void bridge_channels_clear(struct bridge_wire *wire)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&wire->channels)) != NULL) {
        remove_channel(channel);
    }
    free(wire->buffer);
    wire->buffer = NULL;
    wire->is_carrying = false;
}

struct bridge_channel *bridge_channels_add(struct bridge_wire *wire, uint64_t id, int socket,
                                           bool is_borrowed)
{
    struct bridge_channel *channel = must_allocate(sizeof *channel);
    channel->id = id;
    channel->socket = socket;
    channel->is_borrowed = is_borrowed;
    channel->wire = wire;
    channel->credit = BRIDGE_CHANNEL_WINDOW;
    packet_queue_init(&channel->queue);
    channel->readable = loop_watch(wire->base, socket, EV_READ | EV_PERSIST, read_packets, channel);
    channel->writable =
        loop_make_event(wire->base, socket, EV_WRITE | EV_PERSIST, send_when_writable, channel);
    (void)must_not_be_null(tsearch(channel, &wire->by_id, compare_ids));
    LIST_INSERT_HEAD(&wire->channels, channel, in_all);
    return channel;
}

struct bridge_channel *bridge_channels_find(const struct bridge_wire *wire, uint64_t id)
{
    const struct bridge_channel wanted = {.id = id};
    struct bridge_channel *const *found = tfind(&wanted, &wire->by_id, compare_ids);
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

bool bridge_channels_take_frame(struct bridge_wire *wire, const struct frame *frame)
{
    struct bridge_channel *channel = bridge_channels_find(wire, frame->channel);
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

/* Reads again from the sockets that waited for room in the wire. */
static void read_waiting_channels(struct bridge_wire *wire)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&wire->waiting_channels)) != NULL) {
        LIST_REMOVE(channel, in_waiting);
        channel->is_waiting = false;
        read_again(channel);
    }
}
