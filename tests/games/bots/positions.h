#pragma once

#include "games/bots/bots.h"

/* Positions of games that tests of the bots look at. */

void positions_start(const struct game_def *game, const struct game_config *config, uint64_t seed,
                     struct game_state *state);

/* Fills in the view of the seat that moves next. */
void positions_view(const struct game_def *game, const struct game_state *state,
                    struct game_view *view);

/* The view with which a game begins. The game may be a changed copy of one of the house's. */
void positions_first_view(const struct game_def *game, const struct game_config *config,
                          uint64_t seed, struct game_view *view);

/* Makes so many moves of a game in which everybody plays by the policy, without memory for a
 * search, and calls `check` before each. */
void positions_visit(const struct game_def *game, uint8_t players, const char *policy,
                     unsigned moves,
                     void (*check)(const struct game_view *view, const struct game_config *config,
                                   const struct game_state *state));

/* A `sample` function for a changed copy of a game, whose bots then see all cards: it imagines
 * nothing but positions_truth, the true state. */
extern const struct game_state *positions_truth;
bool positions_sample_truth(const struct game_view *view, struct quick_random *random, void *state);
