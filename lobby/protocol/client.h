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
    CLIENT_BAD_MESSAGE, /* the core sent what is no message: give up the connection */
};

/* Called once with the answer (borrowed): is_ok, and the whole `ok` or `no` message. */
typedef void client_answer(void *context, bool is_ok, const json_t *answer);

/* Called for every push, `welcome` included, `resync` excepted (the client does that itself). */
typedef void client_push(void *context, const char *type, const json_t *message);

/* `send` gets one packet's bytes, borrowed for the call; it queues what cannot leave at once. */
struct client *client_new(void (*send)(void *context, const char *json, size_t len), void *context);
void client_free(struct client *client);

/* Replaces the receiver of pushes. */
void client_on_push(struct client *client, client_push *push, void *context);

/* Speaks the oldest protocol that is spoken from the next hello on, for a house that may run the
 * program of the version before. */
void client_speak_oldest(struct client *client);

/* Says hello; `welcome` comes as a push. */
void client_hello(struct client *client, const char *software);

/* Sends {"t": type, "id": next, …fields}; steals the reference to `fields` (an object, may be
 * NULL). `answer` may be NULL. At most 64 may be unanswered: false, and nothing was sent. */
bool client_request(struct client *client, const char *type, json_t *fields, client_answer *answer,
                    void *context);

/* How many ids have been used: those of requests to come are above. */
int64_t client_ids_used(const struct client *client);

/* The id of the request that has waited longest for its answer, 0: all are answered. Whoever sees
 * the same id for a second may say that the house is taking a moment. */
int64_t client_oldest(const struct client *client);

/* Takes one packet apart and calls whom it concerns. */
enum client_result client_receive(struct client *client, const char *bytes, size_t len) MUST_CHECK;
