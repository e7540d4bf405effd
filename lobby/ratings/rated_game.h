#pragma once

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "storage/ratings/ratings.h"

/* The effect of one game on the ratings of its players, for a game that has just ended and for
 * re-rating. */

struct rated_game {
    size_t count; /* changes, at most SEATS_MAX */
    struct storage_rating_change changes[SEATS_MAX];
    double by[SEATS_MAX][SEATS_MAX]; /* of one change, what each opponent did to mu; by index */
};

/* Computes all changes from their `before` values, ranks and kinds: `after`, of all time and of the
 * season, and `by` of the game. `weight` is 0 to 1. */
void rated_game_compute(struct rated_game *game, double weight);

/* Writes `by` of every change, in points, as the `result` message has it. */
void rated_game_write_causes(struct rated_game *game);

/* Adds a change to the rating it belongs to, of all time or of the season: the numbers and all that
 * is counted. */
void rated_game_add_to_rating(const struct storage_rating_change *change, bool is_season,
                              struct storage_rating *rating);

/* Gives rating back, which the best one counts too. */
void rated_game_add_refund(struct storage_rating *rating, double mu, int64_t at_ms);

/* Start values: the rating of all time of an account without one, and an account's rating at the
 * start of a season, computed from its rating of all time at that moment. */
struct storage_rating rated_game_new_rating(int64_t account, const char *game);
struct storage_rating rated_game_new_season_rating(const struct storage_rating *all_time,
                                                   int32_t season);
