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
    double kappa; /* sigma² never shrinks below this part of itself in one game */
    bool is_sum;  /* sum over opponents, as published, instead of the mean */
};

/* The house's: beta 25/3, tau 25/300, kappa 10⁻⁴, mean. */
struct rating_model rating_model_default(void);

/* A newcomer: mu 25, sigma 25/3. */
struct rating rating_new(void);

struct rating_player {
    struct rating before;
    uint8_t rank; /* 1 is best, ties share */
    bool is_bot;  /* moves only bots */
};

struct rating_update {
    struct rating after;
    double by[RATING_PLAYERS_MAX]; /* how far each opponent moved mu; their sum is the change */
};

/*
 * Rates one game of `count` players, at most RATING_PLAYERS_MAX. A person is rated against the
 * other persons, a bot against everybody; without opponents a rating does not change. `weight` (0
 * to 1) scales the effect of the game: at 0 nothing changes.
 */
void rating_update(const struct rating_model *model, const struct rating_player *players,
                   size_t count, double weight, struct rating_update *updates);

/* How far mu of player `i` would move if they came `place`-th (1 is best) among those they are
 * rated against: 1 … opponents + 1, without ties. Which opponents placed above them is left open:
 * the result is the mean over all possibilities, at full weight. 0 without opponents. */
double rating_predict_change(const struct rating_model *model, const struct rating_player *players,
                             size_t count, size_t i, size_t place);

/* The number of opponents: the other persons, for a bot everybody. */
size_t rating_count_opponents(const struct rating_player *players, size_t count, size_t i);

/* The rating after some time without a game: sigma² grows by RATING_IDLE_VARIANCE_PER_DAY up to a
 * newcomer's (a larger one stays); mu never decays. A negative time counts as 0. */
#define RATING_IDLE_VARIANCE_PER_DAY (0.207 * 0.207)
struct rating rating_after_idle(struct rating rating, int64_t idle_ms);

/* What people see: R = 1500 + 40 (mu − 25), and ± 40 sigma. */
double rating_points(double mu);
double rating_deviation(double sigma);

/* A difference of mu in points. */
double rating_change_in_points(double change_mu);

/* Shown with "?": fewer than 20 rated games or sigma above 6.1. */
#define RATING_SETTLED_GAMES 20
bool rating_is_provisional(uint32_t games, double sigma);

/* On the leaderboard: 30 rated games, sigma at most 5.6, the last one within 30 days. */
#define RATING_LISTED_GAMES 30
#define RATING_LISTED_SIGMA 5.6
#define RATING_LISTED_IDLE_MS (30 * RATING_MS_PER_DAY)
bool rating_is_listed(uint32_t games, double sigma, int64_t idle_ms);

/* When the rating stops qualifying if no game is added (exclusive). 0 for a rating that does not
 * qualify even at its last game. */
int64_t rating_listed_until(uint32_t games, double sigma, int64_t rated_ms);

/* Seasons: calendar quarters (UTC), numbered year * 10 + quarter; 20264 is the last of 2026. Times
 * before 1970 count to the first season of 1970. */
#define RATING_SEASON_GAMES 10 /* to be listed in a season */
int32_t rating_season_at(int64_t at_ms);
int64_t rating_season_start_ms(int32_t season);

/* The rating at the start of a season: mu halfway back to a newcomer's, with a minimum sigma. */
struct rating rating_season_begin(struct rating all_time);

/* The weight of a game when the same people have finished `before` rated games of it with each
 * other within RATING_REPEAT_MS: 1, ½, ¼, then 0. */
#define RATING_REPEAT_MS RATING_MS_PER_DAY
double rating_repeat_weight(uint32_t before);

/* The quality of a place: (n − rank) / (n − 1), so 1 for the first and 0 for the last of n. */
double rating_place_quality(uint8_t rank, size_t count);

/* How a player who began the game ended it. */
struct rating_finish {
    uint8_t rank;       /* in the game itself, by whoever held the seat at the end */
    bool left_for_good; /* before the end, */
    uint32_t left_step; /* when this move was next */
};

/* Ranks for rating: leavers rank below all who finished, later leavers above earlier ones; ties
 * share a rank, as in games (1, 2, 2, 4). */
void rating_rank_finishes(const struct rating_finish *finishes, size_t count, uint8_t *ranks);

/* Whether a game is rated, or the first reason why not. */
enum rating_unrated {
    RATING_RATED = 0,
    RATING_NO_CLOCK,
    RATING_OWN_OPTIONS, /* not the game's standard options */
    RATING_TOO_FEW,     /* fewer than two people with accounts and keys of their own */
    RATING_TRAINING,    /* a private training table */
    RATING_NO_ROUND,    /* not one round was finished */
    RATING_BARRED,      /* a player is banned from rated games */
    RATING_CUT,         /* void, or ended by a fault of the server */
};

struct rating_conditions {
    bool has_clock;
    bool has_standard_options;
    uint8_t people; /* distinct by account and by key; a guest has neither */
    bool is_training;
    uint32_t rounds_finished;
    bool is_cut;
};

enum rating_unrated rating_find_obstacle(const struct rating_conditions *conditions);
