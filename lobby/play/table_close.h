#pragma once

#include "lobby/tables/tables_state.h"

/* Closes the table for good, tells everybody there, and removes it from the lobby. A game in
 * progress there ends without a result. */
void table_close(struct house *house, struct table *table);
