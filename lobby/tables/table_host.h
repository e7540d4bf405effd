#pragma once

#include "lobby/tables/tables_state.h"

/* Changes the host of a table. */

/* Makes this account the host; the caller saves the table. */
void table_set_host(struct house *house, struct table *table, int64_t account, const char *name);

/* After the host has left, makes another seated person the host, preferably one who is at the
 * table. */
void table_choose_new_host(struct house *house, struct table *table);
