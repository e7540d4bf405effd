#pragma once

#include "lobby/tables/tables_state.h"

/* Changes of a table's host. */

/* Makes this account the host; the caller saves the table. */
void table_set_host(struct house *house, struct table *table, int64_t account, const char *name);

/* Makes another seated person the host after the host has left, preferably one who is at the
 * table. */
void table_choose_new_host(struct house *house, struct table *table);
