#pragma once

#include "games/game.h"

/*
 * A search for a good move that sees only what its seat sees. It imagines deals that fit the view
 * and plays the round to its end in each of them, once for each move that it tries; every seat
 * makes the move that the game's net (bots/net.h) prefers, which knows no more than that seat. If
 * the game can reopen the bidding (bots/encode.h), deals in which the others' bids fit their cards
 * are more likely, and the others' secret bids are those that the net prefers. All moves are tried
 * in the same deals. The worse half of the moves is dropped again and again, so that the better
 * ones are tried more often (sequential halving: Karnin, Koren and Somekh, "Almost Optimal
 * Exploration in Multi-Armed Bandits", ICML 2013).
 *
 * The same view, config, random numbers and number of play-outs give the same move on every
 * machine.
 */

#define SEARCH_PLAYOUTS 200   /* enough for the strong policy */
#define SEARCH_MOVES_MAX 8    /* more moves are not tried: those that the net likes least */
#define SEARCH_DECISIONS 1500 /* after so many decisions of the net no deal is begun */

/* A move that a search tries. */
struct search_move {
    uint8_t move;
    float prior;     /* what the net says that the move is worth */
    float total;     /* the sum of what its play-outs were worth */
    int32_t points;  /* the sum of the points that the seat gained in them */
    uint32_t visits; /* the number of its play-outs */
};

/* The memory of a search, which the caller provides. It needs no initialisation, and a search reads
 * nothing of an earlier one. */
struct search {
    struct search_move moves[MOVES_MAX]; /* the best first */
    uint8_t count;
};

/* What a search found about one of the legal moves. */
struct search_choice {
    uint8_t move;
    uint32_t visits; /* the number of play-outs that began with the move */
    float points; /* the mean of the points that the seat gained from the view to the round's end */
};

/* Returns the best move found for the view's seat, whose turn it is, in at most that many
 * play-outs; fewer are made if they are long, so that a search takes a few milliseconds. A forced
 * move is returned at once. Returns MOVE_NONE if no deal fits the view, and if the game has no net
 * that fits. */
uint8_t search_choose_move(struct search *search, const struct game_view *view,
                           const struct game_config *config, struct quick_random *random,
                           uint32_t playouts);

/* Fills in the moves that the last search has tried, the best first, which the search returned.
 * `view` is that search's view. Returns how many there are; 0 if the search made no play-outs,
 * because the move was forced or it returned MOVE_NONE. */
uint8_t search_list_choices(const struct search *search, const struct game_view *view,
                            struct search_choice choices[MOVES_MAX]);
