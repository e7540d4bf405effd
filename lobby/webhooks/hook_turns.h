#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Turn events of webhooks, for a player who is to act and is away: not connected for a moment, or
 * idle for config.webhook_idle_s. Each turn is reported once, and withdrawn when it is over before
 * it was sent. Reported turns are stored, so that a restart repeats nothing.
 */
#define HOOK_GONE_MS INT64_C(10000) /* longer than a lost connection or a restart takes */

/* Loads which turns were reported, after the tables are loaded; drops those of turns that are
 * over. */
void hook_turns_load(struct house *house);

/* The account's webhook has changed: its present turns are reported to the new one. */
void hook_turns_report_again(struct house *house, int64_t account);
