#pragma once

#include "lobby/house/house_state.h"

/*
 * A person in the house may be away or in do-not-disturb. Away ends with the next thing they do.
 * Do-not-disturb lasts, even for days, until they switch it off.
 */

/* Ends `away`, because the person has done something. */
void presence_end_away(struct house *house, struct person *person);

/* Returns how long the person has been idle, in ms: 0 while they play in a running game and wait
 * for others. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);
