#ifndef LOBBY_HOUSE_WORKS_H
#define LOBBY_HOUSE_WORKS_H

#include "lobby/house/house_state.h"

/* What the house does by itself, in the order it is done: with time (tick), and before each commit
 * (flush). One that has met a fault which is nobody else's rests for a while (fault.h). */

void works_tick(struct house *house);
void works_flush(struct house *house);

/* When some work is wanted next, in unix ms; INT64_MAX: when nothing waits. */
int64_t works_next_ms(const struct house *house);

/* The one that such a helper's messages belong to, from 1; 0: none. */
size_t works_of(enum peer peer);

/* For the log; `work` counts from 1. Borrowed for good. */
const char *works_name(size_t work);

#endif
