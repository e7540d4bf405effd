#pragma once

#include "lobby/tables/tables_state.h"

/* Closes a table whose data are inconsistent (lobby/house/fault.h). Its current game ends without a
 * result. This is logged and announced in the lobby. */
void faulty_table_close(struct house *house, struct table *table, const char *why);

/* Closes the faulty table with this number. The table need not be in memory. */
void faulty_table_close_by_number(struct house *house, int64_t number, const char *why);
