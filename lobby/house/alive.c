#include "lobby/house/alive.h"

#include "lobby/bots/table_bots.h"
#include "lobby/house/stored.h"
#include "lobby/tables/table_times.h"
#include "lobby/tables/tables.h"
#include "storage/house/meta.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* With other writes the mark costs nothing, but two rows a second are enough. */
#define ALIVE_ALONG_MS 500

static const char alive_name[] = "alive_ms";

void alive_begin(struct house *house)
{
    char value[STORAGE_META_SIZE];
    house->alive_seen_ms = house->now_ms;
    house->alive_due_ms = INT64_MAX;
    if (stored(house, storage_meta_get(house->storage, alive_name, value))) {
        house->alive_ms = strtoll(value, NULL, 10);
    }
}

static bool alive_table_runs(const struct table *table)
{
    return table_is_playing(table) && table->row.halt == STORAGE_HALT_NONE &&
           table->clock.rule.kind != CLOCK_NONE;
}

/* How often the mark is wanted by itself: INT64_MAX when no clock runs. */
static int64_t alive_every_ms(const struct house *house)
{
    int64_t every_ms = INT64_MAX;
    const struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&house->tables, table, next)
    {
        if (alive_table_runs(table)) {
            bool is_live = clock_rule_is_live(&table->clock.rule);
            every_ms = is_live                    ? ALIVE_LIVE_MS
                       : every_ms < ALIVE_DAYS_MS ? every_ms
                                                  : ALIVE_DAYS_MS;
        }
    }
    return every_ms;
}

static void alive_skip(struct house *house)
{
    struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&house->tables, table, next)
    {
        if (table_is_playing(table) && table->row.halt == STORAGE_HALT_NONE) {
            table_times_skip(house, table, house->alive_seen_ms);
        }
    }
}

void alive_tick(struct house *house)
{
    if (house->now_ms - house->alive_due_ms > ALIVE_LATE_MS) {
        alive_skip(house);
    }
    house->alive_seen_ms = house->now_ms;
    if (house->alive_due_ms < house->now_ms) {
        house->alive_due_ms = house->now_ms; /* counted: a turn may begin with several messages */
    }
}

int64_t alive_next_ms(const struct house *house)
{
    int64_t every_ms = alive_every_ms(house);
    return every_ms == INT64_MAX ? INT64_MAX : house->alive_ms + every_ms;
}

void alive_served(struct house *house)
{
    int64_t mark_ms = alive_next_ms(house);
    int64_t bots_ms = bots_next_ms(house);
    house->alive_due_ms = mark_ms < bots_ms ? mark_ms : bots_ms;
}

void alive_flush(struct house *house)
{
    int64_t since_ms = house->now_ms - house->alive_ms;
    bool is_along = storage_is_dirty(house->storage) && since_ms >= ALIVE_ALONG_MS;
    bool is_set_back = since_ms < 0; /* the machine's clock was */
    bool is_due = since_ms >= alive_every_ms(house);
    if (!is_along && !is_due && !is_set_back) {
        return;
    }
    char value[32];
    (void)snprintf(value, sizeof(value), "%" PRId64, house->now_ms);
    stored_or_fail(house, storage_meta_set(house->storage, alive_name, value));
    house->alive_ms = house->now_ms;
}
