#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Ratings, one per player and game: the Bradley–Terry full-pair model of R. Weng and C.-J. Lin,
 * "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 1, averaged over
 * opponents. Pure functions: nothing is read, kept or allocated.
 */

#define RATING_PLAYERS_MAX 7
#define RATING_MS_PER_DAY INT64_C(86400000)

struct rating {
    double mu;
    double sigma;
};

struct rating_model {
    double beta;
    double tau;   /* uncertainty added before every game */
    double kappa; /* the smallest factor by which one game may multiply sigma² */
    bool is_sum;  /* true: adds up the effects of all opponents, as the paper does; false: takes
                     their mean */
};

/* The house's model: beta 25/3, tau 25/300, kappa 10⁻⁴, mean over opponents. */
struct rating_model rating_model_default(void);

/* The rating of a newcomer: mu 25, sigma 25/3. */
struct rating rating_new(void);

struct rating_player {
    struct rating before;
    uint8_t rank; /* 1 is best; tied players share a rank */
    bool is_bot;  /* a bot makes all moves of this player */
};

/* of[i][q] is how much the result against player q counts for player i, 0 to 1. */
struct rating_weights {
    double of[RATING_PLAYERS_MAX][RATING_PLAYERS_MAX];
};

struct rating_update {
    struct rating after;
    double by[RATING_PLAYERS_MAX]; /* how far each opponent moved mu; their sum is the change */
};

/*
 * Rates one game of `count` players, at most RATING_PLAYERS_MAX. A person is rated against the
 * other persons, a bot against all others. Without opponents, a rating does not change.
 * Without `weights` (NULL) all results count fully.
 */
void rating_update(const struct rating_model *model, const struct rating_player *players,
                   size_t count, const struct rating_weights *weights,
                   struct rating_update *updates);

/* Returns how far mu of `player` (an index) would move if the player came `place`-th among their
 * opponents, without ties (1 is best; the last is opponents + 1). This is the mean over all orders
 * in which the opponents can finish; `weights` are those of rating_update. Returns 0 without
 * opponents. */
double rating_predict_change(const struct rating_model *model, const struct rating_player *players,
                             size_t player_count, size_t player, size_t place,
                             const struct rating_weights *weights);

/* Returns the number of opponents of `player` (an index): all other persons for a person, all other
 * players for a bot. */
size_t rating_count_opponents(const struct rating_player *players, size_t player_count,
                              size_t player);

/* Returns the rating after a time without games. sigma² grows by RATING_IDLE_VARIANCE_PER_DAY up to
 * that of a newcomer; mu does not change. A negative time counts as 0. */
#define RATING_IDLE_VARIANCE_PER_DAY (0.207 * 0.207)
struct rating rating_after_idle(struct rating rating, int64_t idle_ms);

/* The numbers that people see: 1500 + 40 (mu − 25) points, ± 40 sigma. */
double rating_points(double mu);
double rating_deviation(double sigma);

/* Converts a difference of mu to points. */
double rating_change_in_points(double change_mu);

/* Returns true for ratings shown with "?": fewer than 20 rated games, or sigma above 6.1. */
#define RATING_SETTLED_GAMES 20
bool rating_is_provisional(uint32_t games, double sigma);

/* Returns true for ratings that the leaderboard lists: at least 30 rated games, sigma at most 5.6,
 * and the last game within 30 days. */
#define RATING_LISTED_GAMES 30
#define RATING_LISTED_SIGMA 5.6
#define RATING_LISTED_IDLE_MS (30 * RATING_MS_PER_DAY)
bool rating_is_on_leaderboard(uint32_t games, double sigma, int64_t idle_ms);

/* Returns when a rating leaves the leaderboard if its owner plays no more; 0 for a rating that is
 * not listed even right after its last game. */
int64_t rating_on_leaderboard_until_ms(uint32_t games, double sigma, int64_t rated_ms);

/* The rated games that an account needs to be on a season's leaderboard. */
#define RATING_SEASON_GAMES 10

/* Seasons are calendar quarters (UTC), numbered year * 10 + quarter: 20264 is the last one of 2026.
 * Times before 1970 count as the first season of 1970. */
int32_t rating_season_at(int64_t at_ms);
int64_t rating_season_start_ms(int32_t season);

/* The rating at the beginning of a season: mu moves halfway back to a newcomer's, and sigma is at
 * least 5.56. */
struct rating rating_at_season_start(struct rating all_time);

/* Returns how much a game counts between two players who have already finished `earlier_games`
 * rated games of the same kind with each other within RATING_REPEAT_MS: 1, ½, ¼, then 0. */
#define RATING_REPEAT_MS RATING_MS_PER_DAY
double rating_weight_of_repeated_game(uint32_t earlier_games);

/* Returns how much an opponent who left counts for those who played on: the part of the game's
 * moves that were made before (`played`, 0 to 1); nothing below a third. */
double rating_weight_of_leaver(double played);

/* How much an opponent counts who may be the same person or a helper: one with an address or a key
 * of the player's, or, for an older account, an account in its first day. */
#define RATING_WEIGHT_OF_DOUBT 0.25
#define RATING_NEW_ACCOUNT_MS RATING_MS_PER_DAY

/* How good a place is: (n − rank) / (n − 1), so 1 for the first and 0 for the last of n players. */
double rating_place_quality(uint8_t rank, size_t count);

/* How the game ended for a player who was at the table when it began. */
struct rating_finish {
    uint8_t rank; /* final rank of the player's seat, even if a bot or somebody else held the seat
                     by then */
    bool left_for_good; /* the player left before the end */
    uint32_t left_step; /* number of the next move at the time when the player left */
};

/* Computes ranks for rating. Players who left rank below all who finished, and those who left later
 * above those who left earlier. Tied players share a rank (1, 2, 2, 4). */
void rating_rank_finishes(const struct rating_finish *finishes, size_t count, uint8_t *ranks);

/* Says that a game is rated, or gives the first reason why it is not. */
enum rating_unrated {
    RATING_RATED = 0,
    RATING_NO_CLOCK,
    RATING_OWN_OPTIONS, /* the table does not use the game's standard options */
    RATING_TOO_FEW,     /* fewer than two people with accounts and keys of their own */
    RATING_TRAINING,    /* the table is private, for training */
    RATING_NO_ROUND,    /* no round was finished */
    RATING_BARRED,      /* a player is banned from rated games */
    RATING_CUT,         /* the game was declared void, or ended by a fault of the server */
};

struct rating_conditions {
    bool has_clock;
    bool has_standard_options;
    uint8_t people; /* number of people with accounts, of whom those with the same account or key
                       count once; guests do not count */
    bool is_training;
    uint32_t rounds_finished;
    bool is_cut;
};

enum rating_unrated rating_find_unrated_reason(const struct rating_conditions *conditions);
