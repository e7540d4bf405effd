#include "storage/webhooks/hooks.h"

ROWS(hook, struct storage_hook, STORAGE_HOOK_COLUMNS);
ROWS(hook_event, struct storage_hook_event, STORAGE_HOOK_EVENT_COLUMNS);

#define SELECT_EVENTS ROW_SELECT("hook_events", STORAGE_HOOK_EVENT_COLUMNS) " WHERE "

#define STATEMENT STATEMENT_DEFINED
#include "storage/webhooks/hooks.def"

/* Drops the account's oldest waiting event when more than STORAGE_HOOK_QUEUE_EACH wait. */
static enum storage_result drop_oldest_event_if_queue_is_full(struct storage *storage,
                                                              int64_t account, bool *queue_was_full)
{
    uint32_t count = 0;
    enum storage_result result = storage_hook_events_count_waiting(storage, account, &count);
    *queue_was_full = result == STORAGE_OK && count > STORAGE_HOOK_QUEUE_EACH;
    if (!*queue_was_full) {
        return result;
    }
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM hook_events WHERE id = (SELECT min(id) FROM hook_events"
                             " WHERE account = ? AND is_done = 0)",
                             SQL_INT(account)));
}

enum storage_result storage_hook_event_add(struct storage *storage,
                                           const struct storage_hook_event *event, int64_t *id,
                                           bool *queue_was_full)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO hook_events (" ROW_NAMES(
            STORAGE_HOOK_EVENT_COLUMNS) ", is_done) VALUES (" ROW_PLACES_NEW(STORAGE_HOOK_EVENT_COLUMNS) ", 0)");

    bind_new_hook_event(&q, event);
    enum storage_result result = sql_run_insertion(&q, id);
    *queue_was_full = false;
    return result == STORAGE_OK
               ? drop_oldest_event_if_queue_is_full(storage, event->account, queue_was_full)
               : result;
}

enum storage_result storage_hook_event_read(struct storage *storage, int64_t id,
                                            struct storage_hook_event *event)
{
    struct sql *q = SQL_READ(storage, SELECT_EVENTS "id = ?", SQL_INT(id));

    const enum storage_result result = read_hook_event(q, event);
    if (result == STORAGE_OK) {
        event->body = "";
    }
    return result;
}
