#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"

/* Webhooks: the addresses where players want to receive events, and the queue of events to send. */

#define STORAGE_HOOK_URL_SIZE 513
#define STORAGE_HOOK_SECRET_SIZE 65 /* size of a webhook's secret in hex with its NUL */
#define STORAGE_HOOK_BODY_SIZE 2049 /* size of an event as JSON with its NUL */
#define STORAGE_HOOK_QUEUE_EACH 20  /* the most waiting events of one account */

#define STORAGE_HOOK_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_HOOK_URL_SIZE), url)                                                         \
    NEXT(TEXT(STORAGE_HOOK_SECRET_SIZE), secret)                                                   \
    NEXT(UINT32, events)   /* kinds of events that are sent: one bit for each kind */              \
    NEXT(UINT32, failures) /* number of failed attempts in a row */                                \
    NEXT(FLAG, is_off)     /* the webhook is disabled after too many failures */                   \
    NEXT(UINT32, given_up) /* number of events lost since the player was last told */

struct storage_hook {
    STORAGE_MEMBERS(STORAGE_HOOK_COLUMNS)
};

#define STORAGE_HOOK_EVENT_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, id) /* number of the event, from 1; never used again */                          \
    NEXT(NUMBER, account)                                                                          \
    NEXT(UINT8, event)                                                                             \
    NEXT(NUMBER, table,                                                                            \
         table_id) /* table of the event; 0: the event has no table, seat, game or step */         \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, game, game_id)                                                                    \
    NEXT(UINT32, step)                                                                             \
    NEXT(BORROWED(STORAGE_HOOK_BODY_SIZE), body)                                                   \
    NEXT(UINT32, attempts)                                                                         \
    NEXT(NUMBER, next_ms) /* when the event is sent next */

struct storage_hook_event {
    STORAGE_MEMBERS(STORAGE_HOOK_EVENT_COLUMNS)
};

/* Adds an event to the queue. The event gets a new number (*id) instead of event->id. When more
 * than STORAGE_HOOK_QUEUE_EACH events wait for the account, the oldest is dropped and
 * *queue_was_full is true. */
enum storage_result storage_hook_event_add(struct storage *storage,
                                           const struct storage_hook_event *event, int64_t *id,
                                           bool *queue_was_full) MUST_CHECK;

/* Reads an event, waiting or done, without its `body`. STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_hook_event_read(struct storage *storage, int64_t id,
                                            struct storage_hook_event *event) MUST_CHECK;

#define STATEMENT STATEMENT_DECLARED
#include "storage/webhooks/hooks.def"
