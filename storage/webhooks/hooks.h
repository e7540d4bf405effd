#ifndef STORAGE_WEBHOOKS_HOOKS_H
#define STORAGE_WEBHOOKS_HOOKS_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Webhooks: addresses that players want to be told at, and the queue of what is to be told. */

#define STORAGE_HOOK_URL_SIZE 513
#define STORAGE_HOOK_SECRET_SIZE 65 /* hex */
#define STORAGE_HOOK_BODY_SIZE 2049 /* JSON */
#define STORAGE_HOOK_QUEUE_EACH 20  /* events of one account that wait */

#define STORAGE_HOOK_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_HOOK_URL_SIZE), url)                                                         \
    NEXT(TEXT(STORAGE_HOOK_SECRET_SIZE), secret)                                                   \
    NEXT(UINT32, events)   /* bit by event */                                                      \
    NEXT(UINT32, failures) /* attempts in a row that failed */                                     \
    NEXT(FLAG, is_off)     /* too many failed: nothing is sent */                                  \
    NEXT(UINT32, given_up) /* events lost since the player was told so */

struct storage_hook {
    STORAGE_MEMBERS(STORAGE_HOOK_COLUMNS)
};

/* Adds or replaces; STORAGE_REFUSED when there is no such account. */
enum storage_result storage_hook_save(struct storage *storage,
                                      const struct storage_hook *hook) MUST_CHECK;

/* With all that waits for it. STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_hook_remove(struct storage *storage, int64_t account) MUST_CHECK;

/* All of them, until `row` answers false. */
typedef bool storage_hook_row(void *context, const struct storage_hook *hook);
enum storage_result storage_hooks_each(struct storage *storage, storage_hook_row *row,
                                       void *context) MUST_CHECK;

#define STORAGE_HOOK_EVENT_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, id) /* 1 or more, never used again */                                            \
    NEXT(NUMBER, account)                                                                          \
    NEXT(UINT8, event)                                                                             \
    NEXT(NUMBER, table, table_id) /* 0: none; then seat, game and step mean nothing */             \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, game, game_id)                                                                    \
    NEXT(UINT32, step)                                                                             \
    NEXT(BORROWED(STORAGE_HOOK_BODY_SIZE), body)                                                   \
    NEXT(UINT32, attempts)                                                                         \
    NEXT(NUMBER, next_ms) /* of the next attempt */

struct storage_hook_event {
    STORAGE_MEMBERS(STORAGE_HOOK_EVENT_COLUMNS)
};

/* Adds one to the queue (its `id` is ignored and *id set). Of more than STORAGE_HOOK_QUEUE_EACH
 * that wait for the account the oldest is dropped; *was_full says so. */
enum storage_result storage_hook_event_add(struct storage *storage,
                                           const struct storage_hook_event *event, int64_t *id,
                                           bool *was_full) MUST_CHECK;

/* One that waits or is done; its `body` is not read. STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_hook_event_read(struct storage *storage, int64_t id,
                                            struct storage_hook_event *event) MUST_CHECK;

/* A try begins: counted, and if nobody says how it went the next is at `next_ms`.
 * STORAGE_NOT_FOUND when there is no such event. */
enum storage_result storage_hook_event_try(struct storage *storage, int64_t id,
                                           int64_t next_ms) MUST_CHECK;

/* Nothing more is to be sent: kept as told with `is_kept`, or else forgotten. */
enum storage_result storage_hook_event_end(struct storage *storage, int64_t id,
                                           bool is_kept) MUST_CHECK;

/* Forgets the events of this kind at a seat, or with seat -1 at all of the table. */
enum storage_result storage_hook_events_withdraw(struct storage *storage, uint8_t event,
                                                 int64_t table, int seat) MUST_CHECK;

/* Forgets what waits for an account. */
enum storage_result storage_hook_events_clear(struct storage *storage, int64_t account) MUST_CHECK;

typedef bool storage_hook_event_row(void *context, const struct storage_hook_event *event);

/* What waits and is due at `now_ms`, longest due first, until `row` answers false. */
enum storage_result storage_hook_events_due(struct storage *storage, int64_t now_ms,
                                            storage_hook_event_row *row, void *context) MUST_CHECK;

/* Those of one kind, told or waiting, oldest first; their bodies are not read. */
enum storage_result storage_hook_events_of_kind(struct storage *storage, uint8_t event,
                                                storage_hook_event_row *row,
                                                void *context) MUST_CHECK;

/* When the first is due of those that are due after `after_ms`; INT64_MAX when there is none. */
enum storage_result storage_hook_events_next(struct storage *storage, int64_t after_ms,
                                             int64_t *next_ms) MUST_CHECK;

/* How many wait for the account. */
enum storage_result storage_hook_events_waiting(struct storage *storage, int64_t account,
                                                uint32_t *count) MUST_CHECK;

#endif
