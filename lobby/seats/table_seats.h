#pragma once

#include "lobby/house/house_state.h"

/* Empties a person's seat before the start and tells them who did it. */
void table_kick(struct house *house, struct table *table, int seat, const char *by);
