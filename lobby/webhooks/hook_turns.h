#ifndef LOBBY_WEBHOOKS_HOOK_TURNS_H
#define LOBBY_WEBHOOKS_HOOK_TURNS_H

#include "lobby/house/house_state.h"

/*
 * Turns that webhooks are told of: of who is to act and is away, not connected for a moment or
 * without a word for config.webhook_idle_s. Each turn is told once, and is withdrawn when it is
 * over before it was sent. What was told is stored, so that a restart repeats nothing.
 */
#define HOOK_GONE_MS INT64_C(10000) /* longer than a lost connection or a restart takes */

/* Reads which turns were told, after the tables; forgets what is told of turns that are over. */
void hook_turns_load(struct house *house);

/* Whose turn it is here, or who is here, has changed. */
void hook_turns_changed(struct house *house, struct table *table);

/* An account's webhook has changed: what is its turn now is news to it. */
void hook_turns_forget(struct house *house, int64_t account);

#endif
