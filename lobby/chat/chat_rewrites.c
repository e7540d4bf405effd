#include "lobby/chat/chat.h"

#include "lobby/house/parts.h"
#include "storage/chat/chat.h"

/* lines rewritten in one round of the event loop: takes about 5 ms */
#define REWRITES_PER_PASS 200
#define REWRITES_TURN_MS 50 /* pause before the next batch of lines is rewritten */

struct chat_rewrites {
    int64_t due_ms; /* when the next batch of lines is rewritten */
};

static struct chat_rewrites *chat_rewrites_state(const struct house *house)
{
    return PART_STATE(house, chat_rewrites);
}

void chat_rewrites_update_batch(struct house *house)
{
    bool is_more = false;
    stored_or_fail(house,
                   storage_chat_continue_rewrites(house->storage, REWRITES_PER_PASS, &is_more));
    chat_rewrites_state(house)->due_ms = is_more ? house->now_ms + REWRITES_TURN_MS : INT64_MAX;
}

static void schedule_first_rewrite(struct house *house)
{
    chat_rewrites_state(house)->due_ms = house->now_ms;
}

static void rewrite_lines_if_due(struct house *house)
{
    if (house->now_ms >= chat_rewrites_state(house)->due_ms) {
        chat_rewrites_update_batch(house);
    }
}

static int64_t next_rewrite_due_ms(const struct house *house)
{
    return chat_rewrites_state(house)->due_ms;
}

const struct part chat_rewrites_part = {
    .name = "chat-rewrites",
    .house_size = sizeof(struct chat_rewrites),
    .load = schedule_first_rewrite,
    .tick = rewrite_lines_if_due,
    .next_ms = next_rewrite_due_ms,
};
