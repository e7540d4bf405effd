#pragma once

#include "lobby/house/house_state.h"

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
