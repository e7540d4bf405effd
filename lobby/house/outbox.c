#include "lobby/house/outbox.h"

#include "lobby/house/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct outbox_item {
    int64_t conn;
    uint64_t turn;           /* set when the message is sealed */
    struct payload *payload; /* NULL: the message was removed */
};

struct payload *payload_new(const char *json, size_t len)
{
    struct payload *payload = memory_new(sizeof(*payload) + len + 1);
    payload->refs = 1;
    payload->len = len;
    memcpy(payload->json, json, len);
    payload->json[len] = '\0';
    return payload;
}

struct payload *payload_from_json(json_t *json)
{
    char *text = memory_check_allocated(json_dumps(json, JSON_COMPACT));
    json_decref(json);
    struct payload *payload = payload_new(text, strlen(text));
    free(text);
    return payload;
}

struct payload *payload_retain(struct payload *payload)
{
    payload->refs++;
    return payload;
}

void payload_release(struct payload *payload)
{
    if (payload != NULL && --payload->refs == 0) {
        free(payload);
    }
}

bool payload_is_same(const struct payload *left, const struct payload *right)
{
    return left->len == right->len && memcmp(left->json, right->json, left->len) == 0;
}

static void outbox_double_capacity(struct outbox *outbox)
{
    size_t cap = outbox->cap == 0 ? 64 : 2 * outbox->cap;
    struct outbox_item *items = memory_new(cap * sizeof(*items));
    for (size_t i = 0; i < outbox->count; i++) {
        items[i] = outbox->items[(outbox->head + i) % outbox->cap];
    }
    free(outbox->items);
    outbox->items = items;
    outbox->head = 0;
    outbox->cap = cap;
}

void outbox_add(struct outbox *outbox, int64_t conn_id, struct payload *payload)
{
    assert(payload->len <= PAYLOAD_MAX);
    if (outbox->count == outbox->cap) {
        outbox_double_capacity(outbox);
    }
    size_t tail = (outbox->head + outbox->count++) % outbox->cap;
    outbox->items[tail] = (struct outbox_item){.conn = conn_id, .payload = payload_retain(payload)};
}

/* Returns the nth message, counted from 0, of the oldest first. */
static struct outbox_item *outbox_item_at(struct outbox *outbox, size_t nth)
{
    return &outbox->items[(outbox->head + nth) % outbox->cap];
}

void outbox_seal(struct outbox *outbox, uint64_t turn)
{
    for (; outbox->sealed < outbox->count; outbox->sealed++) {
        outbox_item_at(outbox, outbox->sealed)->turn = turn;
    }
    outbox->turn = turn;
}

bool outbox_needs_turn(const struct outbox *outbox, uint64_t turn)
{
    return outbox->sealed < outbox->count && outbox->turn == turn;
}

void outbox_settle(struct outbox *outbox, uint64_t durable)
{
    outbox->durable = durable;
}

void outbox_drop_unsealed(struct outbox *outbox)
{
    while (outbox->count > outbox->sealed) {
        payload_release(outbox_item_at(outbox, --outbox->count)->payload);
    }
}

void outbox_drop_conn(struct outbox *outbox, int64_t conn_id)
{
    for (size_t i = 0; i < outbox->count; i++) {
        struct outbox_item *item = outbox_item_at(outbox, i);
        if (item->conn == conn_id) {
            payload_release(item->payload);
            item->payload = NULL;
        }
    }
}

bool outbox_take(struct outbox *outbox, struct outbox_message *message)
{
    payload_release(outbox->current);
    outbox->current = NULL;
    while (outbox->sealed > 0 && outbox->current == NULL) {
        const struct outbox_item item = *outbox_item_at(outbox, 0);
        if (item.turn > outbox->durable) {
            return false;
        }
        outbox->head = (outbox->head + 1) % outbox->cap;
        outbox->count--;
        outbox->sealed--;
        outbox->current = item.payload;
        message->conn = item.conn;
    }
    if (outbox->current == NULL) {
        return false;
    }
    message->json = outbox->current->json;
    message->len = outbox->current->len;
    return true;
}

void outbox_clear(struct outbox *outbox)
{
    outbox->sealed = 0;
    outbox_drop_unsealed(outbox);
    payload_release(outbox->current);
    free(outbox->items);
    *outbox = (struct outbox){0};
}
