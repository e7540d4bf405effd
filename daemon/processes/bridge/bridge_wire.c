#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval ping_interval = {.tv_sec = BRIDGE_WIRE_PING_MS / 1000};

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

static void send_and_tell_room(struct bridge_wire *wire)
{
    if (wire->waiting.len > 0) {
        send_waiting(wire);
    }
    if (wire->was_full && !bridge_wire_is_full(wire)) {
        wire->was_full = false;
        wire->calls.has_room(wire->calls.context);
    }
}

static void flush_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    send_and_tell_room(context);
}

static void handle_writable(void *context)
{
    send_and_tell_room(context);
}

static void handle_end(void *context, const char *why)
{
    struct bridge_wire *wire = context;
    wire->calls.ended(wire->calls.context, wire->why != NULL ? wire->why : why);
}

static void end_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    handle_end(context, "");
}

static void note_silence(struct bridge_wire *wire, bool is_silent)
{
    if (wire->is_silent != is_silent && wire->calls.silence != NULL) {
        wire->calls.silence(wire->calls.context, is_silent);
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

static void handle_opened(void *context, unsigned node)
{
    struct bridge_wire *wire = context;
    wire->is_open = true;
    wire->heard_ms = clock_steady_ms();
    if (!frames_write_greeting(&wire->waiting) || event_add(wire->ping, &ping_interval) != 0) {
        abort();
    }
    wire->calls.opened(wire->calls.context, node);
    event_active(wire->flush, EV_TIMEOUT, 0);
}

static void take_chunk(struct bridge_wire *wire, const char *bytes, size_t len)
{
    struct frame frame;
    enum frames_result result = FRAMES_OK;
    frames_reader_add(&wire->reader, bytes, len);
    while (wire->why == NULL && (result = frames_read(&wire->reader, &frame)) == FRAMES_OK) {
        if (frame.kind != FRAME_PING && !wire->calls.take_frame(wire->calls.context, &frame)) {
            bridge_wire_end(wire, "the other bridge broke the rules");
        }
    }
    if (result == FRAMES_BAD) {
        bridge_wire_end(wire, "the other end is no bridge of this version");
    }
}

static void handle_received(void *context, const char *bytes, size_t len)
{
    struct bridge_wire *wire = context;
    wire->heard_ms = clock_steady_ms();
    note_silence(wire, false);
    for (size_t at = 0; at < len && wire->why == NULL; at += FRAMES_CHUNK_MAX) {
        take_chunk(wire, bytes + at, len - at < FRAMES_CHUNK_MAX ? len - at : FRAMES_CHUNK_MAX);
    }
}

static const char *find_key(void *context, unsigned node)
{
    struct bridge_wire *wire = context;
    return wire->calls.find_key(wire->calls.context, node);
}

/* Prepares the wire; returns what it wants to be called for. */
static struct bridge_ssh_calls begin(struct bridge_wire *wire, struct event_base *base,
                                     const struct bridge_wire_calls *calls)
{
    *wire = (struct bridge_wire){.calls = *calls};
    frames_reader_init(&wire->reader);
    bytes_init(&wire->waiting, BRIDGE_WIRE_WAITING_MAX);
    wire->ping = event_new(base, -1, EV_PERSIST, ping_or_end, wire);
    wire->flush = evtimer_new(base, flush_in_event_loop, wire);
    wire->end = evtimer_new(base, end_in_event_loop, wire);
    if (wire->ping == NULL || wire->flush == NULL || wire->end == NULL) {
        abort();
    }
    return (struct bridge_ssh_calls){.find_key = find_key,
                                     .opened = handle_opened,
                                     .received = handle_received,
                                     .writable = handle_writable,
                                     .ended = handle_end,
                                     .context = wire};
}

void bridge_wire_connect(struct bridge_wire *wire, struct bridge_ssh_host *host,
                         struct event_base *base, const struct bridge_ssh_target *target,
                         const struct bridge_wire_calls *calls)
{
    const struct bridge_ssh_calls own = begin(wire, base, calls);
    wire->ssh = bridge_ssh_connect(host, base, target, &own);
}

void bridge_wire_accept(struct bridge_wire *wire, struct bridge_ssh_host *host,
                        struct event_base *base, int socket, const struct bridge_wire_calls *calls)
{
    const struct bridge_ssh_calls own = begin(wire, base, calls);
    wire->ssh = bridge_ssh_accept(host, base, socket, &own);
}

void bridge_wire_clear(struct bridge_wire *wire)
{
    if (wire->ssh == NULL) {
        return;
    }
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
    wire->was_full = wire->was_full || bridge_wire_is_full(wire);
    event_active(wire->flush, EV_TIMEOUT, 0);
}

bool bridge_wire_is_full(const struct bridge_wire *wire)
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
