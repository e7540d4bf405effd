#include "storage/webhooks/hooks.h"

ROWS(hook, struct storage_hook, STORAGE_HOOK_COLUMNS);
ROWS(event, struct storage_hook_event, STORAGE_HOOK_EVENT_COLUMNS);

#define SELECT_EVENTS ROW_SELECT("hook_events", STORAGE_HOOK_EVENT_COLUMNS) " WHERE "

enum storage_result storage_hook_save(struct storage *storage, const struct storage_hook *hook)
{
    return run_hook(sql_write(storage, ROW_UPSERT("hooks", "account", STORAGE_HOOK_COLUMNS)), hook);
}

enum storage_result storage_hook_remove(struct storage *storage, int64_t account)
{
    return sql_run_change(
        SQL_WRITE(storage, "DELETE FROM hooks WHERE account = ?", SQL_INT(account)));
}

enum storage_result storage_hooks_each(struct storage *storage, storage_hook_row *row,
                                       void *context)
{
    return each_hook(
        SQL_READ(storage, ROW_SELECT("hooks", STORAGE_HOOK_COLUMNS) " ORDER BY account", SQL_NONE),
        row, context);
}

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

    bind_new_event(&q, event);
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

    const enum storage_result result = read_event(q, event);
    if (result == STORAGE_OK) {
        event->body = "";
    }
    return result;
}

enum storage_result storage_hook_event_note_attempt(struct storage *storage, int64_t id,
                                                    int64_t next_ms)
{
    return sql_run_change(SQL_WRITE(
        storage, "UPDATE hook_events SET attempts = attempts + 1, next_ms = ? WHERE id = ?",
        SQL_INT(next_ms), SQL_INT(id)));
}

enum storage_result storage_hook_event_unqueue(struct storage *storage, int64_t id, bool is_kept)
{
    struct sql q = is_kept ? sql_write(storage, "UPDATE hook_events SET is_done = 1 WHERE id = ?")
                           : sql_write(storage, "DELETE FROM hook_events WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run_change(&q);
}

enum storage_result storage_hook_events_delete_at_seat(struct storage *storage, uint8_t event_kind,
                                                       int64_t table, int seat)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM hook_events WHERE table_id = ?1 AND event = ?2"
                             " AND (?3 < 0 OR seat = ?3)",
                             SQL_INT(table), SQL_INT(event_kind), SQL_INT(seat)));
}

enum storage_result storage_hook_events_delete_waiting(struct storage *storage, int64_t account)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM hook_events WHERE account = ? AND is_done = 0",
                             SQL_INT(account)));
}

enum storage_result storage_hook_events_each_due(struct storage *storage, int64_t now_ms,
                                                 storage_hook_event_row *row, void *context)
{
    return each_event(SQL_READ(storage,
                               SELECT_EVENTS "is_done = 0 AND next_ms <= ? ORDER BY next_ms, id",
                               SQL_INT(now_ms)),
                      row, context);
}

enum storage_result storage_hook_events_each_of_kind(struct storage *storage, uint8_t event_kind,
                                                     storage_hook_event_row *row, void *context)
{
    return each_event(SQL_READ(storage, SELECT_EVENTS "event = ? ORDER BY id", SQL_INT(event_kind)),
                      row, context);
}

enum storage_result storage_hook_events_read_next_due(struct storage *storage, int64_t after_ms,
                                                      int64_t *next_ms)
{
    return statement_read_number_or(SQL_READ(storage,
                                             "SELECT next_ms FROM hook_events WHERE is_done = 0"
                                             " AND next_ms > ? ORDER BY next_ms LIMIT 1",
                                             SQL_INT(after_ms)),
                                    INT64_MAX, next_ms);
}

enum storage_result storage_hook_events_count_waiting(struct storage *storage, int64_t account,
                                                      uint32_t *count)
{
    return statement_read_count(
        SQL_READ(storage, "SELECT count(*) FROM hook_events WHERE account = ? AND is_done = 0",
                 SQL_INT(account)),
        count);
}
