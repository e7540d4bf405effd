#pragma once

#include "lobby/house/house_state.h"

/*
 * A person in the house may be away or in do-not-disturb. Away ends when the person does anything;
 * at a game of theirs that not everybody may watch as it is played, it ends up to PACE_IDLE_MS
 * later, because the moment would tell of a present move.
 * Do-not-disturb lasts, even for days, until the person switches it off.
 */

/* Ends `away`, because the person has done something. */
void presence_end_away_status(struct house *house, struct person *person);

/* Ends `away` if the person has done something since they set it. Called at times that do not
 * depend on what the person does. */
void presence_note_activity_late(struct house *house, struct person *person);

/* Returns how long the person has been idle, in ms. While they play in a running game and wait for
 * other players, or not everybody may watch the game as it is played, they count as active: 0. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);
