#pragma once

#include "lobby/tables/tables_state.h"

/* Bots as players: their accounts and seats. */

/* True for the account of a bot. False for 0, a guest's account. */
bool account_is_bot(struct house *house, int64_t account);

/* Puts a bot of this policy that does not sit here yet on the seat; saves and sends nothing.
 * Returns false when there is no such policy, or all its bots sit here. */
bool bot_seat_fill(struct house *house, struct table *table, int seat, const char *policy);
