#pragma once

#include "games/game.h"

/*
 * A search for a good move that sees only what its seat sees: single-observer information set Monte
 * Carlo tree search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
 * IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012).
 *
 * It imagines deals that fit the view, more often those in which the others' bids fit their cards,
 * and plays the round to its end again and again: in the tree of moves tried so far, the moves that
 * have done well are preferred (UCB1); after that, everybody follows the game's light policy. The
 * same view, config, random numbers and number of simulations give the same move on every machine.
 */

#define SEARCH_SIMULATIONS_MAX 5000
#define SEARCH_WORLDS_MAX 1000
#define SEARCH_WORLD_BYTES ((size_t)768 * 1024)

/* A move in the tree. Its children are the moves that have been tried after it. */
struct search_node {
    uint32_t first_child, next_sibling; /* 0: none; the root is node 0 and nobody's child */
    uint32_t visits;
    uint32_t available; /* how often the move was legal when its parent chose a child */
    float total;        /* the sum of the rewards of the seat that makes the move */
    uint8_t seat, move;
};

/* The memory of a search, about a megabyte, which the caller provides: search_init once, then any
 * number of searches one after the other. A search reads nothing of an earlier one. */
struct search {
    struct search_node nodes[SEARCH_SIMULATIONS_MAX + 1];
    uint32_t node_count;
    _Alignas(16) uint8_t worlds[SEARCH_WORLD_BYTES]; /* the imagined deals, as states of the game */
    uint32_t world_count;
    uint16_t draws[SEARCH_WORLDS_MAX]; /* as many as there are worlds: a simulation starts from one
                                          of these worlds */
    float logarithm[SEARCH_SIMULATIONS_MAX + 2]; /* of each number from 1 on */
    struct move_set sensible;                    /* the legal moves that the game's `narrow` left */
    int32_t points[MOVES_MAX]; /* by the first move of a simulation: the sum of the points that the
                                  searching seat gained until the end of the round */
};

/* What a search found about one of the legal moves. */
struct search_choice {
    uint8_t move;
    uint32_t visits; /* the number of simulations that began with the move */
    float points; /* the mean of the points that the seat gained from the view to the round's end */
};

void search_init(struct search *search);

/* Returns the best move found for the view's seat, whose turn it is, in that many simulations (1 to
 * SEARCH_SIMULATIONS_MAX). A forced move is returned at once. Returns MOVE_NONE if no deal fits the
 * view, if the game has no `reward`, and in its `unsearched_phases`. */
uint8_t search_choose_move(struct search *search, const struct game_view *view,
                           const struct game_config *config, struct quick_random *random,
                           uint32_t simulations);

/* Fills in the moves that the last search has tried, from the most often tried one, which the
 * search returned, to the least; those that the game's `narrow` removed come last. `view` is that
 * search's view. Returns how many there are; 0 if the search returned a forced move or MOVE_NONE.
 */
uint8_t search_list_choices(const struct search *search, const struct game_view *view,
                            struct search_choice choices[MOVES_MAX]);
