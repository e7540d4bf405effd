#pragma once

#include "games/game.h"

/*
 * A fixed opponent for benchmarks: the first searching bot that these games had, which must never
 * change, so that figures of different years can be compared. It shares no code with the bots of
 * the house, only the rules of the games; in some phases, which rules.c lists, it follows rules of
 * thumb.
 *
 * Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse,
 * "Information Set Monte Carlo Tree Search", 2012) to the end of the round: UCB1 with availability
 * counts and C = 0.3, each seat maximizes its own reward, and play-outs follow a light policy.
 */

#define TREE_SIMULATIONS 1000

struct tree;

/* Returns the memory of the search, which the caller releases with tree_free; NULL without
 * memory. */
struct tree *tree_new(void);
void tree_free(struct tree *tree);

/* Returns the move most often tried in that many simulations (1 to TREE_SIMULATIONS) for the view's
 * seat, whose turn it is. The same arguments give the same move; an earlier search does not
 * count. */
uint8_t tree_choose_move(struct tree *tree, const struct game_view *view,
                         const struct game_config *config, struct quick_random *random,
                         uint32_t simulations);
