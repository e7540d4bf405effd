#pragma once

#include "lobby/tables/tables_state.h"

/* The host of a table. */

/* Makes this account the host; the caller saves the table. */
void table_set_host(struct house *house, struct table *table, int64_t account, const char *name);

/* The host has left: another seated person becomes host, preferably one who is here. */
void table_pass_host(struct house *house, struct table *table);
