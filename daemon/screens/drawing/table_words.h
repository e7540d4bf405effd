#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* A table in words: the same on screens, in lines and for who asks over ssh. */

/* "open", "finished"; for a running game why it stands still ("paused", "adjourned", "waiting"),
 * or how far it is: "playing" (round 0), "round 2", "round 2 of 7" (rounds 0: not known). */
void table_write_state(enum table_phase phase, enum table_halt halt, int round, int rounds,
                       struct text *out);
