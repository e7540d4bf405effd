#pragma once

#include "daemon/processes/bridge/bridge_frames.h"
#include "daemon/processes/bridge/bridge_ssh.h"

/*
 * A connection between two bridges that carries frames. Frames that SSH does not take at once wait.
 * While more than BRIDGE_WIRE_FULL bytes wait, the owner must not read from the sockets that it
 * carries; the short frames that may still come (credit, ends of channels) fit in
 * BRIDGE_WIRE_WAITING_MAX even for tens of thousands of channels. If nothing arrives for
 * BRIDGE_WIRE_SILENCE_MS, the connection ends; the owner hears of it after BRIDGE_WIRE_QUIET_MS.
 */
#define BRIDGE_WIRE_FULL (256 << 10)
#define BRIDGE_WIRE_WAITING_MAX (8 << 20)
#define BRIDGE_WIRE_PING_MS 1000
#define BRIDGE_WIRE_QUIET_MS 2000
#define BRIDGE_WIRE_SILENCE_MS 5000

struct event;
struct event_base;

/* What the owner is called for, from the event loop. None of these may clear the wire but
 * `ended`. */
struct bridge_wire_calls {
    const char *(*find_key)(void *context, unsigned node); /* bridge_ssh.h */
    void (*opened)(void *context, unsigned node);
    /* Returns false if the other bridge broke the rules: then the wire ends. */
    bool (*take_frame)(void *context, const struct frame *frame);
    void (*has_room)(void *context); /* fewer than BRIDGE_WIRE_FULL bytes wait again */
    /* Nothing has arrived for BRIDGE_WIRE_QUIET_MS; or something arrives again. NULL: the owner
     * does not want to know. */
    void (*silence)(void *context, bool is_silent);
    void (*ended)(void *context, const char *why);
    void *context;
};

struct bridge_wire {
    struct bridge_wire_calls calls;
    struct bridge_ssh *ssh; /* NULL: the wire is not connected */
    struct frames_reader reader;
    struct bytes waiting;
    bool is_open;
    bool was_full;
    bool is_silent;   /* nothing has arrived for BRIDGE_WIRE_QUIET_MS */
    int64_t heard_ms; /* when bytes last arrived, monotonic */
    struct event *ping;
    struct event *flush; /* sends at the end of a pass of the event loop what was written in it */
    struct event *end;
    const char *why; /* why the wire ends; NULL: it does not */
};

/* Begins to connect, or serves a connection that was accepted. The wire must not move until it is
 * cleared. */
void bridge_wire_connect(struct bridge_wire *wire, struct bridge_ssh_host *host,
                         struct event_base *base, const struct bridge_ssh_target *target,
                         const struct bridge_wire_calls *calls);
void bridge_wire_accept(struct bridge_wire *wire, struct bridge_ssh_host *host,
                        struct event_base *base, int socket, const struct bridge_wire_calls *calls);

/* Closes the connection without a further call. Does nothing if the wire is not connected. */
void bridge_wire_clear(struct bridge_wire *wire);

/* Sends a frame, after `opened`. */
void bridge_wire_send(struct bridge_wire *wire, const struct frame *frame);

/* True if frames with data must wait until `has_room`. */
bool bridge_wire_is_full(const struct bridge_wire *wire);

/* Ends the wire soon: calls `ended` from the event loop. `why` is a constant. */
void bridge_wire_end(struct bridge_wire *wire, const char *why);
