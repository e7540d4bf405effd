#pragma once

#include "tests/train/learner.h"

/*
 * Tells how likely a seat is to win the game from the totals and ranks at the beginning of a round,
 * so that a round is worth what it changes of that. It learns from the games' ends.
 */

#define CRITIC_ACTIVE_MAX 16

/* What the critic sees of a seat's standing. */
struct standing {
    uint16_t active[CRITIC_ACTIVE_MAX];
    uint16_t count;
};

bool critic_init(struct learner *critic, struct quick_random *random) MUST_CHECK;
void critic_look(const struct game_def *game, const struct game_state *state,
                 const struct game_config *config, uint8_t seat, struct standing *out);

/* The chance to win, about 0 to 1. */
float critic_rate(const struct learner *critic, const struct standing *standing);

/* Learns what came of a standing: the seat's share of the win. */
void critic_learn(struct learner *critic, const struct standing *standing, float share);
