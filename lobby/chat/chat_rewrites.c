#include "lobby/chat/chat_rewrites.h"

#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "storage/chat/chat_rewrites.h"

#define REWRITES_A_TURN 200 /* takes about 5 ms */
#define REWRITES_TURN_MS 50 /* pause between two turns' work */

void chat_rewrites_start(struct house *house)
{
    bool is_more = false;
    stored_or_fail(house, storage_chat_rewrite(house->storage, REWRITES_A_TURN, &is_more));
    house->rewrite_due_ms = is_more ? house->now_ms + REWRITES_TURN_MS : INT64_MAX;
}

void chat_rewrites_begin(struct house *house)
{
    house->rewrite_due_ms = house->now_ms;
}

void chat_rewrites_tick(struct house *house)
{
    if (house->now_ms >= house->rewrite_due_ms) {
        chat_rewrites_start(house);
    }
}

int64_t chat_rewrites_next_ms(const struct house *house)
{
    return house->rewrite_due_ms;
}

const struct part chat_rewrites_part = {
    .name = "chat-rewrites",
    .load = chat_rewrites_begin,
    .tick = chat_rewrites_tick,
    .next_ms = chat_rewrites_next_ms,
};
