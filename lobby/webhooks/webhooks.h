#pragma once

#include "lobby/house/house_state.h"
#include "lobby/tables/tables.h"
#include "storage/webhooks/hooks.h"

#include <stdbool.h>

/*
 * Delivery of queued events. Due events go to the peer `hook`, one per account at a time; the
 * peer's answer says whether the event arrived. Before each attempt starts, the attempt is counted
 * and the next one is scheduled. So even if a process dies meanwhile, an event is sent at least
 * once, and none is retried for ever. Events that are due while the account is banned or suspended
 * are dropped.
 *
 *     waiting ──post──▶ under way ──2xx──▶ delivered
 *        ▲                  │
 *        └─ HOOK_PAUSES ────┴──too often──▶ given up (the owner learns of it at the next sign-in)
 */
#define HOOK_TRIES 6         /* the most attempts for one event; a test has only one attempt */
#define HOOK_FAILURES_MAX 20 /* failed attempts in a row until the webhook is switched off */
#define HOOK_POST_MS INT64_C(60000) /* an attempt fails when it has no answer after this time */

/*
 * Reports turns to the webhooks of players who are away: without a connection for HOOK_GONE_MS, or
 * idle for config.webhook_idle_s. Each turn is reported once. If the turn ends before the report
 * was sent, the report is withdrawn. Reports are stored, so that a restart repeats none.
 */
/* longer than a client takes to reconnect, or the house to restart */
#define HOOK_GONE_MS INT64_C(10000)

/* Loads which turns were reported, and drops reports of turns that are over. Call it after the
 * tables are loaded. */
void hook_turns_load(struct house *house);

/* Reports the present turns of the account's owner again, because the webhook has changed. */
void hook_turns_report_again(struct house *house, int64_t account);

/* True when the text has the form of a webhook URL: https (or http, with is_http_allowed), a host,
 * optionally a port (1 to 65535) and a path. It must have no user or password, contain only visible
 * ASCII, and be shorter than STORAGE_HOOK_URL_SIZE. The host's address is checked when the webhook
 * is called. */
bool hook_url_is_valid(const char *url, bool is_http_allowed);

/*
 * Webhooks: an account may set a URL that gets a POST about each event while its owner is away. An
 * event is queued in the transaction of what caused it, so that a power cut neither takes back an
 * event that was sent nor loses one that happened:
 *
 *     turns and games ──┐
 *     messages, reports ┼─▶ hook_queue_event ──▶ storage ──▶ hook_posts.c ──▶ the peer `hook`
 *     a test ───────────┘
 *
 * An event never contains hidden cards or the text of a message.
 */

/* The kinds of events. Their numbers are stored and never change. */
enum hook_event {
    HOOK_TURN = 0,  /* it is the owner's turn */
    HOOK_OVER = 1,  /* a game in which the owner plays has ended */
    HOOK_TELL = 2,  /* somebody has sent the owner a direct message */
    HOOK_START = 3, /* a game in which the owner plays has begun */
    HOOK_TEST = 4,
    HOOK_REPORT = 6, /* a report or an appeal waits for the owner, who is staff */
};

/* Bits of storage_hook.events that are not 1 << enum hook_event. */
#define HOOK_LIVE (UINT32_C(1) << 5) /* the owner also wants events of live tables */
#define HOOK_EVENTS_DEFAULT (UINT32_C(1) << HOOK_TURN)

struct hook {
    struct storage_hook row; /* the stored row; an empty url: the webhook was removed */
    int64_t tested_ms;       /* when the webhook was last tested */
};

/* Loads all webhooks. Call it after the tables are loaded. */
void hooks_load(struct house *house);
void hooks_clear(struct house *house);

/* Returns the account's webhook; NULL when it has none, or the house offers no webhooks. */
struct hook *hook_find(const struct house *house, int64_t account);

/* Sets the account's URL and generates a new secret. The chosen events stay; a new webhook gets the
 * default ones. */
void hook_save(struct house *house, const struct hook *hook);

/* Deletes everything about the account's webhook. Call it when the account is closed. */
void hook_delete_for_account(struct house *house, int64_t account);

/* True while the account is banned or suspended: nothing is sent to its webhook. */
bool hook_owner_is_sanctioned(struct house *house, int64_t account);

/* Tells the person at sign-in how many events could not be delivered. */
void hook_send_undelivered_count(struct house *house, struct conn *conn);

/* Sends a notice to the connections of the webhook's owner, if any. */
void hook_notify_owner(struct house *house, const struct hook *hook, const char *kind,
                       json_t *sentence);

/* True when the owner of the webhook wants this event of that table. */
bool hook_wants_event(const struct hook *hook, const struct table *table, enum hook_event event);

/* Queues an event. Its body has `fields`, of which the function takes ownership, and the common
 * fields. If `table` is given, the event is about this seat at the table. */
void hook_queue_event(struct house *house, struct hook *hook, enum hook_event event,
                      const struct table *table, int seat, json_t *fields);

/* Queues an event about the game at the table for each player who wants it and is away. */
void hook_queue_event_of_table(struct house *house, struct table *table, enum hook_event event);

/* Makes the fields "table", "game", "title" and "text" of HOOK_TURN, HOOK_OVER or HOOK_START. */
json_t *hook_table_fields(const struct table *table, enum hook_event event);
