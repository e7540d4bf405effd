#pragma once

#include "lobby/tables/tables_state.h"

/* Closes the table for good, tells everybody there, and removes it from the lobby. */
void table_close(struct house *house, struct table *table);
