#pragma once

#include "lobby/tables/tables_state.h"

/* Closes a table whose data are inconsistent (lobby/house/fault.h). Its current game ends without a
 * result, and the log and the lobby are told. */
void table_give_up(struct house *house, struct table *table, const char *why);

/* The same for a table by its number, of which nothing may be in memory. */
void table_give_up_number(struct house *house, int64_t number, const char *why);
