#pragma once

#include "lobby/tables/tables_state.h"

/* Closes a table whose data are inconsistent (lobby/house/fault.h). The table's current game ends
 * without a result. The log and the lobby say that the table was closed. */
void faulty_table_close(struct house *house, struct table *table, const char *why);

/* Closes the table with this number because of a fault. The table need not be in memory. */
void faulty_table_close_by_number(struct house *house, int64_t number, const char *why);
