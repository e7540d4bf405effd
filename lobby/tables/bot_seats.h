#pragma once

#include "lobby/tables/tables_state.h"

/* The accounts and seats of bots. */

/* True when the account is a bot's; false for 0 (a guest). */
bool account_is_bot(struct house *house, int64_t account);

/* Seats a bot of this policy that does not sit at the table yet; the caller saves and sends the
 * table. Returns false when there is no such policy, or when all its bots already sit at the
 * table. */
bool bot_seat_fill(struct house *house, struct table *table, int seat, const char *policy);

/* Returns the seat of the bot of that name; NULL when the bot does not sit at the table. */
const struct storage_seat *bot_seat_find(const struct table *table, const char *name);
