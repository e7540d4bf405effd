#ifndef GAMES_LOOKAHEAD_H
#define GAMES_LOOKAHEAD_H

#include "games/game.h"

/*
 * A policy for games in which counting cards tells too little: it imagines deals that fit the view
 * and tries every legal move on each, playing the rest of the round at random. (Flat Monte Carlo
 * with determinization; Long, Sturtevant, Buro and Furtak, "Understanding the Success of Perfect
 * Information Monte Carlo Sampling", AAAI 2010.)
 */

/* The legal move of the view's seat, which is to act, after which it gains most on the average of
 * all seats in this round. `deals` is how many are imagined; `rest` how many moves the round still
 * has, this one included. */
uint8_t lookahead_move(const struct game_view *view, const struct game_config *config,
                       struct quick_random *random, unsigned deals, unsigned rest);

#endif
