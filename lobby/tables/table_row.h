#pragma once

#include "lobby/tables/tables_state.h"

/* Makes the table row of PROTOCOL.md, which contains public information only. */
struct table_row table_make_row(const struct table *table);

/* Returns the halt that everybody in the house may know (enum table_halt). The stop between two
 * rounds is not one: only the people at the table are told of it. */
uint8_t table_row_halt(const struct table *table);
