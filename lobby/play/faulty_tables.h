#pragma once

#include "lobby/tables/tables_state.h"

/* Closes a table whose data are inconsistent (lobby/house/fault.h). Its current game ends without a
 * result, and the log and the lobby are told. */
void faulty_table_close(struct house *house, struct table *table, const char *why);

/* The same for a table by its number, of which nothing may be in memory. */
void faulty_table_close_by_number(struct house *house, int64_t number, const char *why);
