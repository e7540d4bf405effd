#include "lobby/house/works.h"

#include "lobby/bots/table_bots.h"
#include "lobby/chat/chat_rewrites.h"
#include "lobby/house/alive.h"
#include "lobby/house/answers.h"
#include "lobby/house/closing.h"
#include "lobby/house/keeping.h"
#include "lobby/people/lobby_push.h"
#include "lobby/ratings/rerate.h"
#include "lobby/ratings/standing.h"
#include "lobby/sanctions/barring.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/table_deadline.h"
#include "lobby/tables/table_people.h"
#include "lobby/tables/table_push.h"
#include "lobby/tables/table_times.h"
#include "lobby/webhooks/hook_posts.h"
#include "lobby/webhooks/hook_turns.h"

#include <assert.h>

struct work {
    const char *name;
    bool is_done_full; /* while the disk is full, too */
    void (*tick)(struct house *house);
    void (*flush)(struct house *house);
    int64_t (*next_ms)(const struct house *house);
    enum peer helper; /* does a part of it; 0: none does */
};

static const struct work works[] = {
    {"answers", true, answers_tick, NULL, answers_next_ms, 0},
    {"table-push", true, NULL, table_push_flush, NULL, 0},
    {"barring", true, NULL, barring_flush, NULL, 0},
    {"lobby", true, lobby_tick, lobby_flush, lobby_next_ms, 0},
    {"closing", true, closing_tick, NULL, closing_next_ms, 0},
    {"bots", false, bots_tick, NULL, bots_next_ms, PEER_BOT},
    {"deadlines", false, deadlines_tick, NULL, deadlines_next_ms, 0},
    {"table-people", false, table_people_tick, NULL, table_people_next_ms, 0},
    {"keeping", false, keeping_tick, NULL, keeping_next_ms, PEER_KEEPER},
    {"sanctions", false, sanctions_tick, NULL, sanctions_next_ms, 0},
    {"standing", false, standing_tick, NULL, standing_next_ms, 0},
    {"rerate", false, rerate_tick, NULL, rerate_next_ms, 0},
    {"chat-rewrites", false, chat_rewrites_tick, NULL, chat_rewrites_next_ms, 0},
    {"times", false, NULL, table_times_flush, NULL, 0},
    {"hook-turns", false, NULL, hook_turns_flush, hook_turns_next_ms, 0},
    {"hook-posts", false, NULL, hook_posts_flush, hook_posts_next_ms, PEER_HOOK},
    {"alive", false, NULL, alive_flush, alive_next_ms, 0},
};

static_assert(ARRAY_LEN(works) <= WORKS_MAX, "house_state.h has no room for another work");

const char *works_name(size_t work)
{
    return works[work - 1].name;
}

size_t works_of(enum peer peer)
{
    for (size_t i = 0; i < ARRAY_LEN(works); i++) {
        if (works[i].helper == peer) {
            return i + 1;
        }
    }
    return 0;
}

static bool work_is_on(const struct house *house, size_t i)
{
    return !house->is_read_only || works[i].is_done_full;
}

static void work_do(struct house *house, size_t i, void (*run)(struct house *house))
{
    if (run == NULL || !work_is_on(house, i) || house->work_paused_ms[i] > house->now_ms) {
        return;
    }
    house->doing = (struct doing){.work = i + 1};
    run(house);
    house->doing = (struct doing){0};
}

void works_tick(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(works); i++) {
        work_do(house, i, works[i].tick);
    }
}

void works_flush(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(works); i++) {
        work_do(house, i, works[i].flush);
    }
}

int64_t works_next_ms(const struct house *house)
{
    int64_t first_ms = INT64_MAX;
    for (size_t i = 0; i < ARRAY_LEN(works); i++) {
        bool is_wanted = works[i].next_ms != NULL && work_is_on(house, i);
        int64_t next_ms = is_wanted ? works[i].next_ms(house) : INT64_MAX;
        if (next_ms < house->work_paused_ms[i]) {
            next_ms = house->work_paused_ms[i];
        }
        first_ms = next_ms < first_ms ? next_ms : first_ms;
    }
    return first_ms;
}
