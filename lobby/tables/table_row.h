#pragma once

#include "lobby/house/house_state.h"

/* The table row of PROTOCOL.md. It contains public information only. */
struct table_row table_row_of(const struct table *table);

/* The current round and the number of rounds, as spectators know them: 0 and 0 before the first
 * game; rounds is also 0 when unknown. */
void table_rounds(const struct table *table, uint8_t *round, uint8_t *rounds);
