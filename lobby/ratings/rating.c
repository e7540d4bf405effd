#include "lobby/ratings/ratings.h"

#include <assert.h>
#include <math.h>
#include <time.h>

static const double mu_new = 25.0;
static const double sigma_new = 25.0 / 3.0;
static const double points_new = 1500.0;
static const double points_per_mu = 40.0;

static const double season_sigma = 5.56;
static const int32_t season_first = 19701;
/* days from 1 January of the year 1 to the Unix epoch */
static const int64_t days_before_1970 = 719162;

static const double settled_sigma = 6.1;

struct rating_model rating_model_default(void)
{
    return (struct rating_model){
        .beta = 25.0 / 3.0,
        .tau = 25.0 / 300.0,
        .kappa = 1e-4,
        .is_sum = false,
    };
}

struct rating rating_new(void)
{
    return (struct rating){.mu = mu_new, .sigma = sigma_new};
}

static double compute_score_against(uint8_t rank, uint8_t opponent_rank)
{
    if (rank == opponent_rank) {
        return 0.5;
    }
    return rank < opponent_rank ? 1.0 : 0.0;
}

static bool is_opponent(const struct rating_player *players, size_t player, size_t other)
{
    return player != other && (players[player].is_bot || !players[other].is_bot);
}

size_t rating_count_opponents(const struct rating_player *players, size_t player_count,
                              size_t player)
{
    size_t opponents = 0;

    for (size_t q = 0; q < player_count; q++) {
        opponents += is_opponent(players, player, q);
    }
    return opponents;
}

/* A player and one opponent, before the game. */
struct pair {
    double own2; /* the player's sigma², with the uncertainty that every game adds */
    double c;
    double p; /* probability that the player wins */
};

/* The weight of one pair of players; without weights every pair counts fully. */
static double weight_of_pair(const struct rating_weights *weights, size_t player, size_t opponent)
{
    return weights == NULL ? 1.0 : weights->of[player][opponent];
}

static struct pair compare_with_opponent(const struct rating_model *model,
                                         const struct rating *player, const struct rating *opponent,
                                         double weight)
{
    const double tau2 = model->tau * model->tau;
    const double own2 = player->sigma * player->sigma + weight * tau2;
    const double opponent2 = opponent->sigma * opponent->sigma + weight * tau2;
    const double c = sqrt(own2 + opponent2 + 2.0 * model->beta * model->beta);

    return (struct pair){own2, c, 1.0 / (1.0 + exp((opponent->mu - player->mu) / c))};
}

/* Computes the changes that the published model calls Ω and Δ for one player, and how much of Ω
 * comes from each opponent. */
static void compute_player_update(const struct rating_model *model,
                                  const struct rating_player *players, size_t player_count,
                                  size_t player, const struct rating_weights *weights,
                                  struct rating_update *update)
{
    const size_t opponents = rating_count_opponents(players, player_count, player);
    double own2 = 0.0;
    double omega = 0.0;
    double delta = 0.0;

    *update = (struct rating_update){.after = players[player].before};
    if (opponents == 0) {
        return;
    }
    const double part = model->is_sum ? 1.0 : 1.0 / (double)opponents;
    for (size_t q = 0; q < player_count; q++) {
        if (!is_opponent(players, player, q)) {
            continue;
        }
        const double weight = weight_of_pair(weights, player, q);
        const struct pair pair =
            compare_with_opponent(model, &players[player].before, &players[q].before, weight);
        const double s = compute_score_against(players[player].rank, players[q].rank);
        own2 += pair.own2 / (double)opponents;
        update->by[q] = part * weight * (pair.own2 / pair.c) * (s - pair.p);
        omega += update->by[q];
        delta += part * weight * (sqrt(pair.own2) / pair.c) * (pair.own2 / (pair.c * pair.c)) *
                 pair.p * (1.0 - pair.p);
    }
    update->after.mu += omega;
    update->after.sigma = sqrt(own2) * sqrt(fmax(1.0 - delta, model->kappa));
}

/* Because the change is linear in the scores, the mean change over all possible placings of the
 * opponents equals the change for the player's mean score against each opponent. */
double rating_predict_change(const struct rating_model *model, const struct rating_player *players,
                             size_t player_count, size_t player, size_t place,
                             const struct rating_weights *weights)
{
    const double opponents = (double)rating_count_opponents(players, player_count, player);
    const double s = opponents > 0.0 ? (opponents + 1.0 - (double)place) / opponents : 0.0;
    double omega = 0.0;

    for (size_t q = 0; q < player_count; q++) {
        if (is_opponent(players, player, q)) {
            const struct pair pair =
                compare_with_opponent(model, &players[player].before, &players[q].before, 1.0);
            omega += weight_of_pair(weights, player, q) * (pair.own2 / pair.c) * (s - pair.p) /
                     (model->is_sum ? 1.0 : opponents);
        }
    }
    return omega;
}

void rating_update(const struct rating_model *model, const struct rating_player *players,
                   size_t count, const struct rating_weights *weights,
                   struct rating_update *updates)
{
    assert(count <= RATING_PLAYERS_MAX);
    for (size_t i = 0; i < count; i++) {
        compute_player_update(model, players, count, i, weights, &updates[i]);
    }
}

struct rating rating_after_idle(struct rating rating, int64_t idle_ms)
{
    if (idle_ms > 0 && rating.sigma < sigma_new) {
        const double days = (double)idle_ms / (double)RATING_MS_PER_DAY;
        const double variance = rating.sigma * rating.sigma + RATING_IDLE_VARIANCE_PER_DAY * days;
        rating.sigma = fmin(sqrt(variance), sigma_new);
    }
    return rating;
}

double rating_points(double mu)
{
    return points_new + rating_change_in_points(mu - mu_new);
}

double rating_deviation(double sigma)
{
    return points_per_mu * sigma;
}

double rating_change_in_points(double change_mu)
{
    return points_per_mu * change_mu;
}

bool rating_is_provisional(uint32_t games, double sigma)
{
    return games < RATING_SETTLED_GAMES || sigma > settled_sigma;
}

bool rating_is_on_leaderboard(uint32_t games, double sigma, int64_t idle_ms)
{
    return games >= RATING_LISTED_GAMES && sigma <= RATING_LISTED_SIGMA &&
           idle_ms <= RATING_LISTED_IDLE_MS;
}

int64_t rating_on_leaderboard_until_ms(uint32_t games, double sigma, int64_t rated_ms)
{
    if (!rating_is_on_leaderboard(games, sigma, 0)) {
        return 0;
    }
    const double room = RATING_LISTED_SIGMA * RATING_LISTED_SIGMA - sigma * sigma;
    const double unsure_ms = room / RATING_IDLE_VARIANCE_PER_DAY * (double)RATING_MS_PER_DAY;
    const int64_t ms =
        unsure_ms < (double)RATING_LISTED_IDLE_MS ? (int64_t)unsure_ms : RATING_LISTED_IDLE_MS;
    return rated_ms + ms + 1;
}

int32_t rating_season_at(int64_t at_ms)
{
    const time_t seconds = at_ms > 0 ? (time_t)(at_ms / 1000) : 0;
    struct tm parts;

    if (gmtime_r(&seconds, &parts) == NULL) {
        return season_first;
    }
    return (parts.tm_year + 1900) * 10 + parts.tm_mon / 3 + 1;
}

int64_t rating_season_start_ms(int32_t season)
{
    const int64_t year = season / 10;
    const int64_t before = year - 1;
    const int64_t days = before * 365 + before / 4 - before / 100 + before / 400;
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    static const int64_t quarters[] = {0, 90, 181, 273};
    const int64_t quarter = (season % 10 - 1) & 3;

    return (days - days_before_1970 + quarters[quarter] + (is_leap && quarter > 0)) *
           RATING_MS_PER_DAY;
}

struct rating rating_at_season_start(struct rating all_time)
{
    return (struct rating){.mu = mu_new + (all_time.mu - mu_new) / 2.0,
                           .sigma = fmax(all_time.sigma, season_sigma)};
}

double rating_weight_of_repeated_game(uint32_t earlier_games)
{
    static const double weights[] = {1.0, 0.5, 0.25};

    return earlier_games < ARRAY_LEN(weights) ? weights[earlier_games] : 0.0;
}

double rating_weight_of_leaver(double played)
{
    return played * 3.0 < 1.0 ? 0.0 : played;
}

double rating_place_quality(uint8_t rank, size_t count)
{
    if (count < 2) {
        return 1.0;
    }
    return ((double)count - rank) / ((double)count - 1.0);
}

/* Returns true when `a` ended the game better than `b`. */
static bool is_better_finish(const struct rating_finish *a, const struct rating_finish *b)
{
    if (a->left_for_good != b->left_for_good) {
        return b->left_for_good;
    }
    return a->left_for_good ? a->left_step > b->left_step : a->rank < b->rank;
}

void rating_rank_finishes(const struct rating_finish *finishes, size_t count, uint8_t *ranks)
{
    for (size_t i = 0; i < count; i++) {
        ranks[i] = 1;
        for (size_t q = 0; q < count; q++) {
            ranks[i] = (uint8_t)(ranks[i] + is_better_finish(&finishes[q], &finishes[i]));
        }
    }
}

enum rating_unrated rating_find_unrated_reason(const struct rating_conditions *conditions)
{
    if (conditions->is_cut) {
        return RATING_CUT;
    }
    if (conditions->is_training) {
        return RATING_TRAINING;
    }
    if (!conditions->has_clock) {
        return RATING_NO_CLOCK;
    }
    if (!conditions->has_standard_options) {
        return RATING_OWN_OPTIONS;
    }
    if (conditions->people < 2) {
        return RATING_TOO_FEW;
    }
    return conditions->rounds_finished > 0 ? RATING_RATED : RATING_NO_ROUND;
}
