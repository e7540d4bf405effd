#pragma once

#include "lobby/tables/tables_state.h"

/* Removes a person from their seat before the start, and tells them who did it. */
void table_kick_from_seat(struct house *house, struct table *table, int seat,
                          const char *kicked_by);
