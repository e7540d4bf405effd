#pragma once

#include "lobby/house/house.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* The bytes of a message, shared by all its recipients. These functions abort when memory is out; a
 * restarted core continues from the stored data. */
struct payload {
    size_t refs;
    size_t len;
    char json[]; /* ends with a NUL, which `len` does not count */
};

#define PAYLOAD_MAX 65536 /* maximum size of a payload in bytes: one packet */

struct payload *payload_new(const char *json, size_t len);

/* Serialises the JSON. Takes over the reference to the JSON. */
struct payload *payload_from_json(json_t *json);
struct payload *payload_retain(struct payload *payload);
void payload_release(struct payload *payload); /* the payload may be NULL */
bool payload_is_same(const struct payload *left, const struct payload *right);

/*
 * The queue of outgoing messages. A message may be taken once it is sealed with the number of a
 * turn (storage_last_turn), and that turn is durable:
 *
 *     outbox_add ──► outbox_seal (after the commit) ──► outbox_settle (durable) ──► outbox_take
 */
struct outbox {
    TAILQ_HEAD(outbox_items, outbox_item)
    items;                   /* oldest first, so that those not sealed come last */
    uint64_t turn;           /* with which the last messages were sealed */
    uint64_t durable;        /* the newest durable turn */
    struct payload *current; /* the message taken last, valid until the next call */
};

/* Makes an empty outbox. */
void outbox_init(struct outbox *outbox);

/* Removes all messages and frees the memory. The outbox is then as new. */
void outbox_clear(struct outbox *outbox);

/* Appends a message. The outbox keeps its own reference to the payload. */
void outbox_add(struct outbox *outbox, int64_t conn_id, struct payload *payload);

/* Seals all messages that are not sealed yet: they may be taken once this turn is durable. `turn`
 * is never smaller than at an earlier call. */
void outbox_seal(struct outbox *outbox, uint64_t turn);

/* True if there are messages that are not sealed, and no turn has ended since the last sealing:
 * `turn` is the last one. They need a turn of their own (storage_end_turn). */
bool outbox_needs_turn(const struct outbox *outbox, uint64_t turn);

/* This turn and all turns before it are durable. */
void outbox_settle(struct outbox *outbox, uint64_t durable);

/* Removes the messages that are not sealed. */
void outbox_drop_unsealed(struct outbox *outbox);

/* Removes all messages to this connection. */
void outbox_drop_conn(struct outbox *outbox, int64_t conn_id);

/* Takes the oldest message if it may be taken. Messages are taken in the order in which they were
 * added. Returns false if there is none. */
bool outbox_take(struct outbox *outbox, struct house_output *message);
