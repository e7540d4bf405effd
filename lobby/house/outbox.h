#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message's bytes, shared by all its recipients. Dies when memory is out: the core is restarted
 * and continues from its data. */
struct payload;

#define PAYLOAD_MAX 65536 /* one packet */

struct payload *payload_new(const char *json, size_t len);

/* Serialises the JSON; takes over the reference. */
struct payload *payload_from_json(json_t *json);
struct payload *payload_share(struct payload *payload);
void payload_release(struct payload *payload); /* takes NULL */
size_t payload_len(const struct payload *payload);
bool payload_is_same(const struct payload *left, const struct payload *right);
const char *payload_text(const struct payload *payload); /* borrowed, NUL-ended */

/* The queue of outgoing messages. */
struct outbox {
    struct outbox_item *items; /* a ring buffer of `cap` items */
    size_t head, count, cap;
    size_t ready;            /* number of the oldest that may be taken */
    struct payload *current; /* the last one taken, kept until the next call */
};

void outbox_clear(struct outbox *outbox);

/* Appends a message; takes a share of the payload. */
void outbox_add(struct outbox *outbox, int64_t conn, struct payload *payload);

struct outbox_message {
    int64_t conn;
    const char *json; /* borrowed until the next call with this outbox */
    size_t len;
};

/* Releases everything queued so far. */
void outbox_release(struct outbox *outbox);

/* Takes the oldest released message; false when there is none. */
bool outbox_take(struct outbox *outbox, struct outbox_message *message);
