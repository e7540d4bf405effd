#pragma once

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "storage/ratings/ratings.h"

/* The effect of one game on the ratings of its players. Used for a game that has just ended, and
 * when games are rated again. */

struct rated_game {
    size_t count; /* number of changes, at most SEATS_MAX */
    struct storage_rating_change changes[SEATS_MAX];
    double by[SEATS_MAX][SEATS_MAX]; /* for each change, how far each opponent moved mu */
};

/* Computes the ratings after a game, of all time and of the season, from those before it, the
 * ranks, and who is a bot. Also computes what each opponent contributed. `weight` is 0 to 1. */
void rated_game_compute(struct rated_game *game, double weight);

/* Writes for every change how many points each opponent contributed, in the form of the `result`
 * message. */
void rated_game_write_causes(struct rated_game *game);

/* Adds one game's change to a rating, of all time or of the season, with all counts. */
void rated_game_add_to_rating(const struct storage_rating_change *change, bool is_season,
                              struct storage_rating *rating);

/* Adds a refund to a rating, and to its best value. */
void rated_game_add_refund(struct storage_rating *rating, double mu, int64_t at_ms);

/* Start values of a rating: for an account without one, and for an account at the beginning of a
 * season, computed from its rating of all time. */
struct storage_rating rated_game_new_rating(int64_t account, const char *game);
struct storage_rating rated_game_new_season_rating(const struct storage_rating *all_time,
                                                   int32_t season);
