#ifndef LOBBY_TABLES_TABLE_GIVE_UP_H
#define LOBBY_TABLES_TABLE_GIVE_UP_H

#include "lobby/house/house_state.h"

/* A table that cannot go on, since its data are not as they have to be (lobby/house/fault.h): it
 * closes, with the game that is on cut, which is said on the log and in the lobby. */
void table_give_up(struct house *house, struct table *table, const char *why);

/* The same of the table of that number, of which nothing may be left in memory. */
void table_give_up_number(struct house *house, int64_t number, const char *why);

#endif
