#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* Describes a table in words, in the same way on screens, in plain mode and in queries. */

/* Writes the state of a table, and returns all of `out`: "open", "finished"; why a running game is
 * halted ("paused", "adjourned", "waiting"); otherwise its progress, "playing" (round 0), "round
 * 2", or "round 2 of 7" (round_count 0: unknown). */
const char *table_write_state(enum table_phase phase, enum table_halt halt, int round,
                              int round_count, struct text *out);
