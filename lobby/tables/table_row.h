#pragma once

#include "lobby/tables/tables_state.h"

/* The table row of PROTOCOL.md. It contains public information only. */
struct table_row table_row_of(const struct table *table);
