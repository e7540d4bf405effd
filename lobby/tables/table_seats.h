#ifndef LOBBY_TABLES_TABLE_SEATS_H
#define LOBBY_TABLES_TABLE_SEATS_H

#include "lobby/house/house_state.h"

/* Empties the seat of a person before the start, who is told by whom. */
void table_kick(struct house *house, struct table *table, int seat, const char *by);

#endif
