#pragma once

#include "lobby/persons/bot_names.h"
#include "lobby/tables/tables_state.h"

/* The accounts and seats of bots. */

/* True when the account is a bot's; false for 0 (a guest). */
bool account_is_bot(struct house *house, int64_t account);

/* Seats a bot of this level (not BOT_LEVEL_NONE) that does not sit at the table yet; the caller
 * saves and sends the table. Returns false when all bots of the level already sit at the table. */
bool bot_seat_fill(struct house *house, struct table *table, int seat, enum bot_level level);

/* Returns the level of the bots that a person gets who does not ask for one: easy for a newcomer,
 * who is a guest or has finished fewer than five games; otherwise medium. */
enum bot_level bot_level_for_person(struct house *house, const struct person *person);

/* Returns the seat of the bot of that name; NULL when the bot does not sit at the table. */
const struct storage_seat *bot_seat_find(const struct table *table, const char *name);
