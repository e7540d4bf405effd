#pragma once

#include "daemon/base/packet.h"

#include <jansson.h>

/*
 * A worker's end of the protocol. It says `hello` at the start and after a `resync`, and takes the
 * core's pushes one by one. It may block; the core never waits for it.
 */

/* A push that a worker takes. */
struct worker_push {
    const char *type;
    /* Borrows the message. Returns the answer, whose reference passes to the caller, or NULL. */
    json_t *(*take)(void *context, const json_t *message);
};

struct worker {
    int socket;                       /* to the core, packet.h */
    const struct worker_push *pushes; /* all others are ignored; ended by a type that is NULL */
    void *context;                    /* for `take` */
};

/* Blocks until the message is sent; releases it. Returns PACKET_OK or the error of the socket. */
enum packet_result worker_send(int socket, json_t *message) MUST_CHECK;
enum packet_result worker_send_hello(int socket) MUST_CHECK;

/* Takes one packet of the core, wipes it, and sends what `take` answers. */
enum packet_result worker_take(const struct worker *worker, char *bytes, size_t len) MUST_CHECK;

/* Serves until the core's end is closed: returns 0. Returns 1, with a line on the log, if something
 * failed that may work in a new process. */
int worker_run(const struct worker *worker);
