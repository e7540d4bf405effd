#include "lobby/house/outbox.h"

#include "lobby/house/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The turn of a message that is not sealed. It is never durable. */
#define NOT_SEALED UINT64_MAX

struct outbox_item {
    TAILQ_ENTRY(outbox_item) in_list;
    int64_t conn;
    uint64_t turn;
    struct payload *payload;
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

void outbox_init(struct outbox *outbox)
{
    *outbox = (struct outbox){.current = NULL};
    TAILQ_INIT(&outbox->items);
}

void outbox_add(struct outbox *outbox, int64_t conn_id, struct payload *payload)
{
    assert(payload->len <= PAYLOAD_MAX);
    struct outbox_item *item = memory_new(sizeof(*item));
    item->conn = conn_id;
    item->turn = NOT_SEALED;
    item->payload = payload_retain(payload);
    TAILQ_INSERT_TAIL(&outbox->items, item, in_list);
}

/* Returns the newest message that is not sealed; NULL: none. */
static struct outbox_item *outbox_last_unsealed(const struct outbox *outbox)
{
    struct outbox_item *last = TAILQ_LAST(&outbox->items, outbox_items);
    return last != NULL && last->turn == NOT_SEALED ? last : NULL;
}

void outbox_seal(struct outbox *outbox, uint64_t turn)
{
    for (struct outbox_item *item = outbox_last_unsealed(outbox);
         item != NULL && item->turn == NOT_SEALED; item = TAILQ_PREV(item, outbox_items, in_list)) {
        item->turn = turn;
    }
    outbox->turn = turn;
}

bool outbox_needs_turn(const struct outbox *outbox, uint64_t turn)
{
    return outbox_last_unsealed(outbox) != NULL && outbox->turn == turn;
}

void outbox_settle(struct outbox *outbox, uint64_t durable)
{
    outbox->durable = durable;
}

static void outbox_remove(struct outbox *outbox, struct outbox_item *item)
{
    TAILQ_REMOVE(&outbox->items, item, in_list);
    payload_release(item->payload);
    free(item);
}

/* Removes messages: only those that are not sealed, or also the others; only those to this
 * connection, or (0) to all. */
static void outbox_drop(struct outbox *outbox, bool drops_sealed, int64_t conn_id)
{
    struct outbox_item *next = NULL;
    for (struct outbox_item *item = TAILQ_FIRST(&outbox->items); item != NULL; item = next) {
        next = TAILQ_NEXT(item, in_list);
        if ((drops_sealed || item->turn == NOT_SEALED) && (conn_id == 0 || item->conn == conn_id)) {
            outbox_remove(outbox, item);
        }
    }
}

void outbox_drop_unsealed(struct outbox *outbox)
{
    outbox_drop(outbox, false, 0);
}

void outbox_drop_conn(struct outbox *outbox, int64_t conn_id)
{
    outbox_drop(outbox, true, conn_id);
}

bool outbox_take(struct outbox *outbox, struct house_output *message)
{
    payload_release(outbox->current);
    outbox->current = NULL;
    struct outbox_item *item = TAILQ_FIRST(&outbox->items);
    if (item == NULL || item->turn > outbox->durable) {
        return false;
    }
    outbox->current = payload_retain(item->payload);
    *message = (struct house_output){item->conn, outbox->current->json, outbox->current->len};
    outbox_remove(outbox, item);
    return true;
}

void outbox_clear(struct outbox *outbox)
{
    outbox_drop(outbox, true, 0);
    payload_release(outbox->current);
    outbox_init(outbox);
}
