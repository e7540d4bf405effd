#pragma once

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "lobby/ratings/rating.h"
#include "storage/ratings/ratings.h"

/* The effect of one game on the ratings of its players. It is computed when a game has just ended,
 * and again when games are re-rated. */

struct rated_game {
    size_t count; /* number of changes, at most SEATS_MAX */
    struct storage_rating_change changes[SEATS_MAX];
    double by[SEATS_MAX][SEATS_MAX]; /* by[i][j]: how far the player of changes[j] moved the mu of
                                        changes[i] */
    struct rating_weights weights;   /* by the indexes of `changes` */
};

/* Fills `weights` from the changes and the players' earlier games. Who left counts for those who
 * played on as long by the part of the game that they played; a doubtful opponent counts a quarter;
 * and games of the same two players within a day count less and less (lobby/ratings/rating.h). */
void rated_game_read_weights(struct house *house, struct rated_game *game);

/* Returns true if the player of changes[winner] beat all other people, and each of them left in the
 * first third of the game or is doubtful: several such games a day look like farming. */
bool rated_game_is_doubtful_win(const struct rated_game *game, size_t winner);

/* Computes the players' all-time and season ratings after a game from their ratings before it, the
 * ranks, the weights, and who is a bot. Also computes how much each opponent contributed. */
void rated_game_compute_rating_changes(struct rated_game *game);

/* Stores in every change how many points each opponent contributed, as a list in the form of the
 * `result` message. */
void rated_game_write_contributions(struct rated_game *game);

/* Adds one game's change to a rating, either all-time or of a season, and counts the game. */
void rated_game_apply_change(const struct storage_rating_change *change, bool is_season,
                             struct storage_rating *rating);

/* Adds refunded rating points (as a difference of mu) to a rating, and updates the best value that
 * the rating has had. */
void rated_game_add_refund(struct storage_rating *rating, double mu, int64_t at_ms);

/* rated_game_new_rating returns the all-time rating with which an account begins to play a game;
 * rated_game_new_season_rating returns its first rating of a season, computed from the all-time
 * rating. */
struct storage_rating rated_game_new_rating(int64_t account, const char *game);
struct storage_rating rated_game_new_season_rating(const struct storage_rating *all_time,
                                                   int32_t season);
