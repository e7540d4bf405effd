#ifndef LOBBY_TABLES_BOT_SEATS_H
#define LOBBY_TABLES_BOT_SEATS_H

#include "lobby/house/house_state.h"

/* Bots as players: their accounts and their seats. */

/* False for 0 as well, a guest's account. */
bool bot_account_is(struct house *house, int64_t account);

/* Puts a bot of this policy, one that does not sit here yet, on the seat; nothing is saved or told.
 * False when there is no such policy, or all who play it are here. */
bool bot_seat_take(struct house *house, struct table *table, int seat, const char *policy);

#endif
