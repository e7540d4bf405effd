#pragma once

#include "games/game.h"

/*
 * A fixed opponent for benchmarks that plays only Oh Hell, as simple players do in studies of
 * searching bots. It bids its sure tricks: the aces, and the trumps that no trump in another hand
 * can beat. While it has fewer tricks than it has bid, it wins a trick if it can, with its highest
 * card, or with the lowest that wins if it plays last; otherwise it loses the trick with its
 * highest losing card. A card that cannot do either is the lowest.
 */

#define GREEDY_GAME "oh-hell"

/* Returns a legal move for the view's seat, whose turn it is, in a view of GREEDY_GAME. */
uint8_t greedy_choose_move(const struct game_view *view);
