#include "storage/upkeep/upkeep.h"

#include "lobby/accounts/accounts.h"
#include "lobby/house/parts.h"
#include "storage/house/house.h"
#include "storage/mod/mod.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Deletes once a day what is older than the settings of the section [retention] allow, a little in
 * each pass of the core's loop.
 *
 *     WAITING ──due──▶ RUNNING ──done──▶ WAITING for a day
 *
 * A machine whose clock is wrong must not cost a house its data. So when the clock is more than
 * RETENTION_GAP_MS past the time of the next run, the house waits another day before it runs: time
 * for somebody to set the clock, or after an upgrade to choose the settings.
 */

#define RETENTION_META "retention_due_ms" /* key of the stored time of the next run */
#define DAY_MS INT64_C(86400000)
#define RETENTION_GAP_MS (7 * DAY_MS)
#define RETENTION_ROWS 100   /* rows looked at in one pass of the core's loop */
#define RETENTION_TURN_MS 50 /* pause between two such passes */

struct retention {
    int64_t due_ms; /* when the next run begins, or the running one continues */
    bool is_running;
    struct storage_retention_run run;
};

static struct retention *retention_state(const struct house *house)
{
    return PART_STATE(house, retention);
}

static void retention_store_next_run(struct house *house, int64_t due_ms)
{
    char value[24];
    retention_state(house)->due_ms = due_ms;
    (void)snprintf(value, sizeof(value), "%" PRId64, due_ms);
    stored_or_fail(house, storage_meta_set(house->storage, RETENTION_META, value));
}

static void retention_load_next_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    char value[STORAGE_META_SIZE];
    *retention = (struct retention){.due_ms = 0}; /* the first run also waits for a day */
    if (stored(house, storage_meta_get(house->storage, RETENTION_META, value))) {
        retention->due_ms = strtoll(value, NULL, 10);
    }
}

/* Whether the clock has moved so far past the time of the next run, or back from it, that it may be
 * wrong. */
static bool retention_clock_has_jumped(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms < house->now_ms - RETENTION_GAP_MS || due_ms > house->now_ms + DAY_MS;
}

static int64_t retention_limit(const struct house *house, uint32_t days)
{
    return days == 0 ? 0 : house->now_ms - (int64_t)days * DAY_MS;
}

static void retention_begin_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    const struct house_config *config = &house->config;
    retention->is_running = true;
    retention->run = (struct storage_retention_run){
        .before_ms = {
            [STORAGE_RETENTION_CHAT] = retention_limit(house, config->retention_chat_days),
            [STORAGE_RETENTION_MESSAGES] = retention_limit(house, config->retention_messages_days),
            [STORAGE_RETENTION_ADDRESSES] =
                retention_limit(house, config->retention_addresses_days),
            [STORAGE_RETENTION_CASES] = retention_limit(house, config->retention_cases_days),
        }};
    guests_forget_old(house);
    registrations_forget_old(house);
}

static void retention_end_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    char counts[STORAGE_RETENTION_KINDS][24];
    int64_t sum = 0;
    for (size_t i = 0; i < STORAGE_RETENTION_KINDS; i++) {
        sum += retention->run.deleted[i];
        (void)snprintf(counts[i], sizeof(counts[i]), "%" PRId64, retention->run.deleted[i]);
    }
    if (sum > 0) {
        storage_empty_log_when_idle(house->storage);
    }
    retention->is_running = false;
    retention_store_next_run(house, house->now_ms + DAY_MS);
    journal_write_house_event(house, "retention",
                              JOURNAL_PAIRS("chat", counts[STORAGE_RETENTION_CHAT], "messages",
                                            counts[STORAGE_RETENTION_MESSAGES], "addresses",
                                            counts[STORAGE_RETENTION_ADDRESSES], "cases",
                                            counts[STORAGE_RETENTION_CASES]));
}

static void retention_continue_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    int64_t addresses_ms = retention->run.before_ms[STORAGE_RETENTION_ADDRESSES];
    int64_t sealed = 0;
    bool is_done = false;
    stored_or_fail(house, storage_retention_continue(house->storage, &retention->run,
                                                     RETENTION_ROWS, &is_done));
    if (is_done && addresses_ms > 0) { /* at last the audit log, whose rows stay */
        stored_or_fail(house,
                       storage_audit_seal(house->storage, addresses_ms, RETENTION_ROWS, &sealed));
        is_done = sealed < RETENTION_ROWS;
    }
    retention->due_ms = house->now_ms + RETENTION_TURN_MS;
    if (is_done && stored_can_commit(house)) {
        retention_end_run(house);
    }
}

static void retention_delete_when_due(struct house *house)
{
    struct retention *retention = retention_state(house);
    if (retention_clock_has_jumped(house)) {
        retention->is_running = false;
        retention_store_next_run(house, house->now_ms + DAY_MS);
    }
    if (house->now_ms < retention->due_ms) {
        return;
    }
    if (!retention->is_running) {
        retention_begin_run(house);
    }
    retention_continue_run(house);
}

static int64_t retention_next_due_ms(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms > house->now_ms ? due_ms : house->now_ms; /* overdue after a start: at once */
}

const struct part retention_part = {
    .name = "retention",
    .house_size = sizeof(struct retention),
    .load = retention_load_next_run,
    .tick = retention_delete_when_due,
    .next_ms = retention_next_due_ms,
};
