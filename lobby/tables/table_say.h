#ifndef LOBBY_TABLES_TABLE_SAY_H
#define LOBBY_TABLES_TABLE_SAY_H

#include "lobby/house/house_state.h"

/* A line of the house at the table, with the name where it says {0}. */
void table_say(struct house *house, struct table *table, const char *format, const char *name);

#endif
