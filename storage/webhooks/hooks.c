#include "storage/webhooks/hooks.h"

#include "storage/sql/sql.h"

enum storage_result storage_hook_save(struct storage *storage, const struct storage_hook *hook)
{
    struct sql q = sql_write(storage, "INSERT INTO hooks (account, url, secret, events, failures,"
                                      " is_off, given_up) VALUES (?, ?, ?, ?, ?, ?, ?)"
                                      " ON CONFLICT (account) DO UPDATE SET url = excluded.url,"
                                      " secret = excluded.secret, events = excluded.events,"
                                      " failures = excluded.failures, is_off = excluded.is_off,"
                                      " given_up = excluded.given_up");

    sql_bind_int(&q, hook->account);
    sql_bind_text(&q, hook->url, sizeof hook->url);
    sql_bind_text(&q, hook->secret, sizeof hook->secret);
    sql_bind_int(&q, hook->events);
    sql_bind_int(&q, hook->failures);
    sql_bind_int(&q, hook->is_off);
    sql_bind_int(&q, hook->given_up);
    return sql_run(&q);
}

enum storage_result storage_hook_remove(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM hooks WHERE account = ?");

    sql_bind_int(&q, account);
    return sql_run_on_row(&q);
}

enum storage_result storage_hooks_each(struct storage *storage, storage_hook_row *row,
                                       void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT account, url, secret, events, failures, is_off,"
                                     " given_up FROM hooks ORDER BY account");

    while (goes_on && sql_row(&q)) {
        struct storage_hook hook = {.account = sql_int(&q)};
        sql_text(&q, hook.url, sizeof hook.url);
        sql_text(&q, hook.secret, sizeof hook.secret);
        hook.events = (uint32_t)sql_int(&q);
        hook.failures = (uint32_t)sql_int(&q);
        hook.is_off = sql_int(&q) != 0;
        hook.given_up = (uint32_t)sql_int(&q);
        goes_on = row(context, &hook);
    }
    return sql_end(&q);
}

/* Drops what waits beyond the newest so many. */
static enum storage_result drop_oldest(struct storage *storage, int64_t account, bool *was_full)
{
    uint32_t count = 0;
    enum storage_result result = storage_hook_events_waiting(storage, account, &count);
    *was_full = result == STORAGE_OK && count > STORAGE_HOOK_QUEUE_EACH;
    if (!*was_full) {
        return result;
    }
    struct sql q =
        sql_write(storage, "DELETE FROM hook_events WHERE id = (SELECT min(id) FROM hook_events"
                           " WHERE account = ? AND is_done = 0)");

    sql_bind_int(&q, account);
    return sql_run(&q);
}

enum storage_result storage_hook_event_add(struct storage *storage,
                                           const struct storage_hook_event *event, int64_t *id,
                                           bool *was_full)
{
    struct sql q = sql_write(storage, "INSERT INTO hook_events (account, event, table_id, seat,"
                                      " game_id, step, body, attempts, next_ms, is_done)"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)");

    sql_bind_int(&q, event->account);
    sql_bind_int(&q, event->event);
    sql_bind_int(&q, event->table);
    sql_bind_int(&q, event->seat);
    sql_bind_int(&q, event->game);
    sql_bind_int(&q, event->step);
    sql_bind_text(&q, event->body, STORAGE_HOOK_BODY_SIZE);
    sql_bind_int(&q, event->attempts);
    sql_bind_int(&q, event->next_ms);
    enum storage_result result = sql_run_new(&q, id);
    *was_full = false;
    return result == STORAGE_OK ? drop_oldest(storage, event->account, was_full) : result;
}

/* The columns of HOOK_EVENT_COLUMNS. */
static struct storage_hook_event event_of(struct sql *q)
{
    struct storage_hook_event event = {.id = sql_int(q), .body = ""};
    event.account = sql_int(q);
    event.event = (uint8_t)sql_int(q);
    event.table = sql_int(q);
    event.seat = (uint8_t)sql_int(q);
    event.game = sql_int(q);
    event.step = (uint32_t)sql_int(q);
    event.attempts = (uint32_t)sql_int(q);
    event.next_ms = sql_int(q);
    return event;
}

#define HOOK_EVENT_COLUMNS "id, account, event, table_id, seat, game_id, step, attempts, next_ms"

enum storage_result storage_hook_event_read(struct storage *storage, int64_t id,
                                            struct storage_hook_event *event)
{
    struct sql q = sql_read(storage, "SELECT " HOOK_EVENT_COLUMNS " FROM hook_events WHERE id = ?");

    sql_bind_int(&q, id);
    if (sql_first(&q)) {
        *event = event_of(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_hook_event_try(struct storage *storage, int64_t id, int64_t next_ms)
{
    struct sql q = sql_write(
        storage, "UPDATE hook_events SET attempts = attempts + 1, next_ms = ? WHERE id = ?");

    sql_bind_int(&q, next_ms);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_hook_event_end(struct storage *storage, int64_t id, bool is_kept)
{
    struct sql q = is_kept ? sql_write(storage, "UPDATE hook_events SET is_done = 1 WHERE id = ?")
                           : sql_write(storage, "DELETE FROM hook_events WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_hook_events_withdraw(struct storage *storage, uint8_t event,
                                                 int64_t table, int seat)
{
    struct sql q = sql_write(storage, "DELETE FROM hook_events WHERE table_id = ?1 AND event = ?2"
                                      " AND (?3 < 0 OR seat = ?3)");

    sql_bind_int(&q, table);
    sql_bind_int(&q, event);
    sql_bind_int(&q, seat);
    return sql_run(&q);
}

enum storage_result storage_hook_events_clear(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM hook_events WHERE account = ? AND is_done = 0");

    sql_bind_int(&q, account);
    return sql_run(&q);
}

enum storage_result storage_hook_events_due(struct storage *storage, int64_t now_ms,
                                            storage_hook_event_row *row, void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT " HOOK_EVENT_COLUMNS ", body FROM hook_events"
                                     " WHERE is_done = 0 AND next_ms <= ? ORDER BY next_ms, id");

    sql_bind_int(&q, now_ms);
    while (goes_on && sql_row(&q)) {
        struct storage_hook_event event = event_of(&q);
        event.body = sql_borrow(&q);
        goes_on = row(context, &event);
    }
    return sql_end(&q);
}

enum storage_result storage_hook_events_of_kind(struct storage *storage, uint8_t event,
                                                storage_hook_event_row *row, void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT " HOOK_EVENT_COLUMNS
                                     " FROM hook_events WHERE event = ? ORDER BY id");

    sql_bind_int(&q, event);
    while (goes_on && sql_row(&q)) {
        const struct storage_hook_event found = event_of(&q);
        goes_on = row(context, &found);
    }
    return sql_end(&q);
}

enum storage_result storage_hook_events_next(struct storage *storage, int64_t after_ms,
                                             int64_t *next_ms)
{
    struct sql q = sql_read(storage, "SELECT next_ms FROM hook_events WHERE is_done = 0"
                                     " AND next_ms > ? ORDER BY next_ms LIMIT 1");

    sql_bind_int(&q, after_ms);
    *next_ms = INT64_MAX;
    if (sql_row(&q)) {
        *next_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_hook_events_waiting(struct storage *storage, int64_t account,
                                                uint32_t *count)
{
    struct sql q =
        sql_read(storage, "SELECT count(*) FROM hook_events WHERE account = ? AND is_done = 0");

    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        *count = (uint32_t)sql_int(&q);
    }
    return sql_end(&q);
}
