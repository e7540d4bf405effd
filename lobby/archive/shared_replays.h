#pragma once

#include "lobby/house/house_state.h"

/*
 * Shared replays: one person leads through a finished game, and the followers see the same step. A
 * replay lasts as long as one of its participants is connected, even across a restart of the core.
 * The leader may make a follower the leader. When the leader leaves, the follower who joined first
 * becomes leader.
 */

/* Sends the state of the replay (`review`) again to everybody in the same replay as this person. */
void shared_replays_resend_replay_of(struct house *house, const struct person *person);
