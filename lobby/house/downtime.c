#include "lobby/house/parts.h"

#include "storage/house/house.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Whenever other data are written, the time until which the house was up is stored with them, at
 * most twice a second. */
#define DOWNTIME_ALONG_MS 500

#define DOWNTIME_JUMP_MS 60000 /* a clock that is further back than this was set */

static const char downtime_name[] = "alive_ms";

/* Tells that the clock was set back since the house was last up. While the house is open, the core
 * notices that (core_metrics.c). */
static void downtime_report_clock_behind(const struct house *house)
{
    int64_t behind_ms = house->alive_ms - house->now_ms;
    char seconds[24];
    if (behind_ms > DOWNTIME_JUMP_MS) {
        (void)snprintf(seconds, sizeof(seconds), "%" PRId64, -behind_ms / 1000);
        journal_write_house_event(house, "clock-jumped", JOURNAL_PAIRS("seconds", seconds));
        metrics_count(house, HOUSE_METRIC_clock_jumps, NULL, NULL, 1);
    }
}

void downtime_load_last_time_up(struct house *house)
{
    char value[STORAGE_META_SIZE];
    house->alive_seen_ms = house->now_ms;
    house->alive_due_ms = INT64_MAX;
    if (stored(house, storage_meta_get(house->storage, downtime_name, value))) {
        house->alive_ms = strtoll(value, NULL, 10);
        downtime_report_clock_behind(house);
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
