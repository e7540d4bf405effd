#pragma once

#include "games/bots/search.h"

/*
 * How a bot chooses its moves. Tables and histories refer to a policy by its name: "random" makes
 * any legal move, "medium" makes the move that the game's net (bots/net.h) says is worth most,
 * "easy" also makes moves that are worth a little less, and "strong" searches. In a game without a
 * net that fits, all of them make any legal move.
 */
struct policy;

/* Returns the policy with that name; NULL if there is none. */
const struct policy *policy_find(const char *name);

const char *policy_name(const struct policy *policy);

/* Returns the greatest number of play-outs in each search of the policy; 0 if it does not search.
 */
uint32_t policy_playouts(const struct policy *policy);

/* Appends the names of all policies, separated by commas, for texts about usage: fewer than
 * POLICY_NAMES_BYTES bytes. */
#define POLICY_NAMES_BYTES 120
void policy_write_names(struct text *out);

/* Reads names separated by commas: a policy for each of `count` seats, the last one for all seats
 * that are left. Returns false if the list is too long or names an unknown policy. */
bool policy_read_list(const char *list, uint8_t count, const struct policy *at[SEATS_MAX]);

/* Returns a legal move for the view's seat, whose turn it is. The same view, config, random numbers
 * and play-outs give the same move. `search` is memory for policies that search; if it is NULL, or
 * if no deal fits the view, the strong policy chooses as "medium" does. `playouts` limits their
 * number in the search; 0: as many as the policy makes. */
uint8_t policy_choose_move(const struct policy *policy, struct search *search,
                           const struct game_view *view, const struct game_config *config,
                           struct quick_random *random, uint32_t playouts);
