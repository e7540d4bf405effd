#ifndef LOBBY_WEBHOOKS_HOOK_POSTS_H
#define LOBBY_WEBHOOKS_HOOK_POSTS_H

#include "lobby/house/house_state.h"

/*
 * The queue's other end: what is due is given to the peer `hook`, one event of an account at a
 * time, and its answers say whether it arrived. A try is counted, and the next one set, before it
 * begins; so whatever dies meanwhile, an event is sent at least once, and none is tried for ever.
 * What is due while the account is banned or suspended is dropped.
 *
 *     waiting ──post──▶ under way ──2xx──▶ told
 *        ▲                  │
 *        └─ HOOK_PAUSES ────┴──too often──▶ given up (said at the next sign-in)
 */
#define HOOK_TRIES 6                /* a test: one */
#define HOOK_FAILURES_MAX 20        /* in a row, then the webhook is off */
#define HOOK_POST_MS INT64_C(60000) /* with no word of it for so long, a try is over */

#endif
