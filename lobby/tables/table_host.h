#ifndef LOBBY_TABLES_TABLE_HOST_H
#define LOBBY_TABLES_TABLE_HOST_H

#include "lobby/house/house_state.h"

/* Who decides at a table. */

/* Who decides there from now on; the caller saves the table. */
void table_set_host(struct house *house, struct table *table, int64_t account, const char *name);

/* The host has gone: another person with a seat, here if possible, becomes host. */
void table_pass_host(struct house *house, struct table *table);

#endif
