#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The client's end of the protocol (PROTOCOL.md). It numbers requests, matches each answer with its
 * request, and repeats unanswered requests after a resync. It uses no socket.
 */
struct client;

enum client_result {
    CLIENT_OK = 0,
    CLIENT_BAD_MESSAGE, /* the core sent a malformed message: close the connection */
};

/* Called once with the answer: the whole `ok` or `no` message, which is borrowed for the call. */
typedef void client_answer(void *context, bool is_ok, const json_t *answer);

/* Called for every message that is not an answer, except `resync`, which the client handles
 * itself. */
typedef void client_push(void *context, const char *type, const json_t *message);

/* Makes a client. It passes the bytes of each packet to `send`, which borrows them for the call and
 * queues what cannot be sent at once. */
struct client *client_new(void (*send)(void *context, const char *json, size_t len), void *context);
void client_free(struct client *client);

/* Sets the function that is called for every push: a message from the core that answers no
 * request. */
void client_set_push_receiver(struct client *client, client_push *push, void *context);

/* Makes the client ask for the whole lobby from the next hello on: every person and table, and all
 * changes. */
void client_follow_lobby(struct client *client);

/* Sends `hello`; the core's `welcome` arrives as a push. */
void client_send_hello(struct client *client, const char *software);

/* Sends the request {"t": type, "id": next, …fields}. `fields` is an object or NULL; the function
 * takes over its reference. `answer` may be NULL. Returns false, with nothing sent, if 64 requests
 * are unanswered. */
bool client_send_request(struct client *client, const char *type, json_t *fields,
                         client_answer *answer, void *context);

/* Returns the highest request id used so far. */
int64_t client_last_request_id(const struct client *client);

/* Returns the id of the oldest unanswered request; 0: all are answered. If the result stays the
 * same for a second, the caller may tell the user that the house is slow to answer. */
int64_t client_oldest_unanswered_id(const struct client *client);

/* Parses one packet and handles its message. */
enum client_result client_receive_packet(struct client *client, const char *bytes,
                                         size_t len) MUST_CHECK;
