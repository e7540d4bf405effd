#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"

/*
 * Whether a person who is here is away or in do-not-disturb. Away ends with the first thing they
 * do; do-not-disturb lasts, even for days, until they switch it off.
 */

/* Loads it from the account's settings when the person enters. */

/* The person did something: ends away. */
void presence_end_away(struct house *house, struct person *person);

/* How long the person has been idle, in ms: 0 while they sit in a running game and wait for
 * others. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);
