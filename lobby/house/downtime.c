#include "lobby/house/downtime.h"

#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "storage/house/meta.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Whenever other data are written, the time until which the house was up is stored with them, at
 * most twice a second. */
#define DOWNTIME_ALONG_MS 500

static const char downtime_name[] = "alive_ms";

void downtime_load_last_time_up(struct house *house)
{
    char value[STORAGE_META_SIZE];
    house->alive_seen_ms = house->now_ms;
    house->alive_due_ms = INT64_MAX;
    if (stored(house, storage_meta_get(house->storage, downtime_name, value))) {
        house->alive_ms = strtoll(value, NULL, 10);
    }
}

void downtime_begin_loop_pass(struct house *house)
{
    if (house->now_ms - house->alive_due_ms > DOWNTIME_LATE_MS) {
        PARTS_CALL(skip, house, house->alive_seen_ms);
    }
    house->alive_seen_ms = house->now_ms;
    if (house->alive_due_ms < house->now_ms) {
        house->alive_due_ms = house->now_ms; /* a pass may begin with several messages, but only the
                                                first counts the downtime */
    }
}

static int64_t downtime_next_store_ms(const struct house *house)
{
    int64_t every_ms = parts_max_unrecorded_downtime_ms(house);
    return every_ms == INT64_MAX ? INT64_MAX : house->alive_ms + every_ms;
}

void downtime_end_loop_pass(struct house *house)
{
    struct parts_due due;
    int64_t mark_ms = downtime_next_store_ms(house);
    parts_find_next_due(house, &due);
    house->alive_due_ms = mark_ms < due.prompt_ms ? mark_ms : due.prompt_ms;
    house->due_ms = due.any_ms;
    house->due_known_ms = house->now_ms;
}

static void downtime_store_time_up_when_due(struct house *house)
{
    int64_t since_ms = house->now_ms - house->alive_ms;
    bool is_along = storage_is_dirty(house->storage) && since_ms >= DOWNTIME_ALONG_MS;
    bool is_set_back = since_ms < 0; /* the machine's clock was set back */
    bool is_due = since_ms >= parts_max_unrecorded_downtime_ms(house);
    if (!is_along && !is_due && !is_set_back) {
        return;
    }
    char value[32];
    (void)snprintf(value, sizeof(value), "%" PRId64, house->now_ms);
    stored_or_fail(house, storage_meta_set(house->storage, downtime_name, value));
    house->alive_ms = house->now_ms;
}

const struct part downtime_part = {
    .name = "downtime",
    .next_ms = downtime_next_store_ms,
    .flush = downtime_store_time_up_when_due,
};
