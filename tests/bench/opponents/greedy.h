#pragma once

#include "games/game.h"

/*
 * A fixed opponent for benchmarks that plays only Oh Hell, as simple players do in studies of
 * searching bots. It bids its sure tricks: the aces, and the trumps that no trump in another hand
 * can beat. While it has fewer tricks than it has bid, it wins a trick if it can, with its highest
 * card, or with the lowest that wins if it plays last; otherwise it loses the trick with its
 * highest losing card. When it can do neither, it plays its lowest card. When it leads, it plays
 * its highest card or its lowest one.
 *
 * The default scoring of the game is that of oh_hell in OpenSpiel: 1 point a trick, and 10 for an
 * exact bid. Figures of studies are points a hand of ten cards with four players.
 */

#define GREEDY_GAME "oh-hell"

/* Returns a legal move for the view's seat, whose turn it is, in a view of GREEDY_GAME. */
uint8_t greedy_choose_move(const struct game_view *view);
