#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A peer's end of the protocol (PROTOCOL.md): numbers the requests, matches the answers, repeats
 * what is unanswered after a resync. Knows no socket.
 */
struct client;

enum client_result {
    CLIENT_OK = 0,
    CLIENT_BAD_MESSAGE, /* the core sent a malformed message: close the connection */
};

/* Called once with the answer (borrowed): is_ok, and the whole `ok` or `no` message. */
typedef void client_answer(void *context, bool is_ok, const json_t *answer);

/* Called for every push, `welcome` included, `resync` excepted (the client does that itself). */
typedef void client_push(void *context, const char *type, const json_t *message);

/* `send` gets the bytes of one packet, borrowed for the call; it queues what cannot be sent at
 * once. */
struct client *client_new(void (*send)(void *context, const char *json, size_t len), void *context);
void client_free(struct client *client);

/* Replaces the receiver of pushes. */
void client_set_push(struct client *client, client_push *push, void *context);

/* Speaks the oldest protocol that is spoken from the next hello on, for a house that may run the
 * program of the version before. */
void client_use_oldest_protocol(struct client *client);

/* Says hello; `welcome` arrives as a push. */
void client_send_hello(struct client *client, const char *software);

/* Sends {"t": type, "id": next, …fields}; steals the reference to `fields` (an object, may be
 * NULL). `answer` may be NULL. False, and nothing was sent, if 64 requests are unanswered. */
bool client_send_request(struct client *client, const char *type, json_t *fields,
                         client_answer *answer, void *context);

/* The highest id used so far: later requests get higher ones. */
int64_t client_last_id(const struct client *client);

/* The id of the request that has waited longest for its answer; 0: all are answered. If it stays
 * the same for a second, the caller may say that the house is slow. */
int64_t client_oldest_unanswered(const struct client *client);

/* Parses one packet and calls the function it is for. */
enum client_result client_receive(struct client *client, const char *bytes, size_t len) MUST_CHECK;
