#pragma once

#include "daemon/base/packet.h"

#include <jansson.h>

/*
 * A worker's end of the protocol. It says `hello` at the start and after a `resync`, and answers
 * the core's pushes one by one. It may block; the core never waits for it.
 */

/* Blocks until the message is sent; releases it. Returns PACKET_OK or the error of the socket. */
enum packet_result worker_send(int socket, json_t *message) MUST_CHECK;
enum packet_result worker_send_hello(int socket) MUST_CHECK;

/* Handles one push; `type` and the message are borrowed. Returns the answer, whose reference passes
 * to the caller, or NULL for none. */
typedef json_t *worker_answer(void *context, const char *type, const json_t *message);

/* Serves on the socket (packet.h) until its other end is closed: returns 0. Returns 1, with a line
 * on the log, if something failed that may work in a new process. */
int worker_run(int socket, worker_answer *answer, void *context);
