#pragma once

#include "lobby/house/house_state.h"

/*
 * A person in the house may be away or in do-not-disturb. Away ends when the person does anything.
 * Do-not-disturb lasts, even for days, until the person switches it off.
 */

/* Ends `away`, because the person has done something. */
void presence_end_away_status(struct house *house, struct person *person);

/* Returns how long the person has been idle, in ms. While they play in a running game and wait for
 * other players, they count as active: 0. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);
