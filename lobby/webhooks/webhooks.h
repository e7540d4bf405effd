#pragma once

#include "lobby/house/house_state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Webhooks: an account may set a URL that gets a POST about each event while its owner is away. An
 * event is queued in the transaction of what caused it, so that a power cut neither takes back an
 * event that was sent nor loses one that happened:
 *
 *     turns and games ──┐
 *     messages, reports ┼─▶ hook_queue_event ──▶ storage ──▶ posts ──▶ the peer `hook`
 *     a test ───────────┘
 *
 * An event never contains hidden cards or the text of a message.
 */

#define HOOK_TRIES 6         /* the most attempts for one event; a test has only one attempt */
#define HOOK_FAILURES_MAX 20 /* failed attempts in a row until the webhook is switched off */
/* a player without a connection is away after this time: longer than a client takes to reconnect,
 * or the house to restart */
#define HOOK_GONE_MS INT64_C(10000)

/* Deletes everything about the account's webhook. Call it when the account is closed. */
void hook_delete_for_account(struct house *house, int64_t account);

/* Tells the person at sign-in how many events could not be delivered. */
void hook_send_undelivered_count(struct house *house, struct conn *conn);
