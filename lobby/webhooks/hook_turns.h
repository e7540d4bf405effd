#pragma once

#include "lobby/tables/tables_state.h"

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
