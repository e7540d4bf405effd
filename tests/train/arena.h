#pragma once

#include "games/bots/bots.h"
#include "tests/train/selfplay.h"

/* How a net does in one seat among players of one of the house's policies. */
struct arena_result {
    double gain, gain_error; /* points a round more than the mean of the others, and half the width
                                of the 95 % interval */
    double wins;             /* share of the games won */
};

/* Plays `deals` deals from each seat, with the usual options. */
struct arena_result arena_play(const struct selfplay *play, const struct policy *policy,
                               uint8_t players, uint32_t deals);
