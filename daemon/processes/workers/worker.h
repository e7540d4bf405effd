#pragma once

#include "daemon/base/packet.h"
#include "daemon/metrics/metrics.h"

#include <jansson.h>

/*
 * A worker's side of the protocol. The worker says `hello` at the start and after a `resync`, and
 * handles the core's messages one by one. A worker that puts work off does a piece of it whenever
 * no message waits. The worker may block; the core never waits for it.
 */

/* A type of message that a worker handles. */
struct worker_push {
    const char *type;
    /* Handles the message, which is borrowed. Returns the answer, whose reference passes to the
     * caller, or NULL for no answer. */
    json_t *(*take)(void *context, const json_t *message);
};

struct worker {
    int socket;                       /* the worker's end of its socket pair with the core */
    const struct worker_push *pushes; /* the messages that the worker handles, ended by a type that
                                         is NULL; all others are ignored */
    void *context;                    /* passed to each call of the functions */
    const struct metrics *metrics;    /* borrowed; the worker gives signs of life (life.h) */
    /* Does the next piece of the work that `take` functions have put off. Returns its answer, whose
     * reference passes to the caller, or NULL if there was nothing to do. NULL: the worker puts
     * nothing off. */
    json_t *(*work)(void *context);
};

/* Sends a message, and waits until the socket has room for it. Takes over the reference. Returns
 * PACKET_OK or the error of the socket. */
enum packet_result worker_send_message(const struct worker *worker, json_t *message) MUST_CHECK;
enum packet_result worker_send_hello(const struct worker *worker) MUST_CHECK;

/* Handles one packet from the core, overwrites the packet, and sends the answer. */
enum packet_result worker_handle_packet(const struct worker *worker, char *bytes,
                                        size_t len) MUST_CHECK;

/* Serves until the core closes its end, and then returns 0. Returns 1, with a line on the log,
 * after an error that a new process may not have. */
int worker_run(const struct worker *worker);
