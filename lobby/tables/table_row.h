#pragma once

#include "lobby/tables/tables_state.h"

/* Makes the table row of PROTOCOL.md, which contains public information only. */
struct table_row table_make_row(const struct table *table);
