#pragma once

#include "games/game.h"

/*
 * A policy for games in which counting cards says too little. It imagines deals that fit the view,
 * tries every legal move on each deal and plays the rest of the round at random. (Flat Monte Carlo
 * with determinization; Long, Sturtevant, Buro and Furtak, "Understanding the Success of Perfect
 * Information Monte Carlo Sampling", AAAI 2010.)
 */

/* The legal move after which the view's seat, whose turn it is, gains most in this round compared
 * with the average of all seats. `deal_count` is the number of deals to imagine. `moves_left` is
 * the number of moves left in the round, this one included. */
uint8_t lookahead_choose_move(const struct game_view *view, const struct game_config *config,
                              struct quick_random *random, unsigned deal_count,
                              unsigned moves_left);
