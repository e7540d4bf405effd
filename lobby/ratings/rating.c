#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double mu_new = 25.0;
static const double sigma_new = 25.0 / 3.0;
static const double points_new = 1500.0;
static const double points_per_mu = 40.0;

static const double season_sigma = 5.56;

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
    assert(count <= SEATS_MAX);
    for (size_t i = 0; i < count; i++) {
        compute_player_update(model, players, count, i, weights, &updates[i]);
    }
}

struct rating rating_after_idle(struct rating rating, int64_t idle_ms)
{
    if (idle_ms > 0 && rating.sigma < sigma_new) {
        const double days = (double)idle_ms / (double)DAY_MS;
        const double variance = rating.sigma * rating.sigma + RATING_IDLE_VARIANCE_PER_DAY * days;
        rating.sigma = fmin(sqrt(variance), sigma_new);
    }
    return rating;
}

struct rating rating_at(const struct storage_rating *rating, int64_t at_ms)
{
    return rating_after_idle((struct rating){rating->mu, rating->sigma}, at_ms - rating->rated_ms);
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

int64_t rating_on_leaderboard_until_ms(uint32_t games, double sigma, int64_t rated_ms)
{
    if (games < RATING_LISTED_GAMES || sigma > RATING_LISTED_SIGMA) {
        return 0;
    }
    const double room = RATING_LISTED_SIGMA * RATING_LISTED_SIGMA - sigma * sigma;
    const double unsure_ms = room / RATING_IDLE_VARIANCE_PER_DAY * (double)DAY_MS;
    const int64_t ms =
        unsure_ms < (double)RATING_LISTED_IDLE_MS ? (int64_t)unsure_ms : RATING_LISTED_IDLE_MS;
    return rated_ms + ms + 1;
}

int32_t rating_season_at(int64_t at_ms)
{
    const time_t seconds = at_ms > 0 ? (time_t)(at_ms / 1000) : 0;
    struct tm parts = {0};

    (void)gmtime_r(&seconds, &parts);
    return (parts.tm_year + 1900) * 10 + parts.tm_mon / 3 + 1;
}

int64_t rating_season_start_ms(int32_t season)
{
    struct tm start = {
        .tm_year = season / 10 - 1900,
        .tm_mon = (season % 10 - 1) * 3,
        .tm_mday = 1,
    };
    return (int64_t)timegm(&start) * 1000;
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

/* How much an opponent counts for a player, apart from their earlier games. */
static double rated_game_weight_of_opponent(const struct storage_rating_change *player,
                                            const struct storage_rating_change *opponent)
{
    /* Somebody who leaves loses fully to those who are still there. */
    bool is_leaver = opponent->has_left && opponent->rank >= player->rank;
    return (is_leaver ? rating_weight_of_leaver(opponent->played) : 1.0) *
           ((player->doubtful >> opponent->seat & 1) != 0 ? RATING_WEIGHT_OF_DOUBT : 1.0);
}

/* Reads how much a game between the two players counts, in view of their earlier ones. Bots always
 * play with the same bots. */
static double read_weight_of_pair(struct house *house, const struct storage_rating_change *a,
                                  const struct storage_rating_change *b)
{
    uint32_t games = 0;
    if (!a->is_bot || !b->is_bot) {
        stored_or_fail(house, storage_rating_changes_count_shared(house->storage, a, b->account,
                                                                  RATING_REPEAT_MS, &games));
    }
    return rating_weight_of_repeated_game(games);
}

void rated_game_read_weights(struct house *house, struct rated_game *game)
{
    for (size_t i = 0; i < game->count; i++) {
        for (size_t q = 0; q < i; q++) {
            const struct storage_rating_change *a = &game->changes[i];
            const struct storage_rating_change *b = &game->changes[q];
            double weight = read_weight_of_pair(house, a, b);
            game->weights.of[i][q] = weight * rated_game_weight_of_opponent(a, b);
            game->weights.of[q][i] = weight * rated_game_weight_of_opponent(b, a);
        }
    }
}

bool rated_game_is_doubtful_win(const struct rated_game *game, size_t winner)
{
    const struct storage_rating_change *own = &game->changes[winner];
    bool has_opponent = false;
    for (size_t i = 0; i < game->count; i++) {
        const struct storage_rating_change *other = &game->changes[i];
        if (i == winner || other->is_bot) {
            continue;
        }
        if (other->rank <= own->rank ||
            rated_game_weight_of_opponent(own, other) > RATING_WEIGHT_OF_DOUBT) {
            return false;
        }
        has_opponent = true;
    }
    return has_opponent && !own->is_bot;
}

void rated_game_fill_players(const struct rated_game *game, bool is_season,
                             struct rating_player *players)
{
    for (size_t i = 0; i < game->count; i++) {
        const struct storage_rating_change *change = &game->changes[i];
        players[i] = (struct rating_player){
            .before = {change->mu_before, change->sigma_before},
            .rank = change->rank,
            .is_bot = change->is_bot,
        };
        if (is_season) {
            players[i].before =
                (struct rating){change->season_mu_before, change->season_sigma_before};
        }
    }
}

static json_t *rated_game_opponent_contributions_json(const struct rated_game *game,
                                                      size_t player_index)
{
    json_t *list = json_array();
    for (size_t i = 0; i < game->count; i++) {
        double change = rating_change_in_points(game->by[player_index][i]);
        if (i != player_index && fabs(change) > 0.0) {
            (void)json_array_append_new(list, json_pack("{s:i,s:f}", "seat", game->changes[i].seat,
                                                        "change", round(change * 10.0) / 10.0));
        }
    }
    return list;
}

/* Stores in the change how many points each opponent contributed. */
static void rated_game_write_contributions(struct rated_game *game, size_t player_index)
{
    struct storage_rating_change *change = &game->changes[player_index];
    json_t *list = rated_game_opponent_contributions_json(game, player_index);
    char *text = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(6));
    (void)snprintf(change->by, sizeof(change->by), "%s", text == NULL ? "[]" : text);
    free(text);
    json_decref(list);
}

void rated_game_compute_rating_changes(struct rated_game *game)
{
    const struct rating_model model = rating_model_default();
    struct rating_player players[SEATS_MAX];
    struct rating_update updates[SEATS_MAX];
    struct rating_update season_updates[SEATS_MAX];
    rated_game_fill_players(game, false, players);
    rating_update(&model, players, game->count, &game->weights, updates);
    rated_game_fill_players(game, true, players);
    rating_update(&model, players, game->count, &game->weights, season_updates);
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        change->mu_after = updates[i].after.mu;
        change->sigma_after = updates[i].after.sigma;
        change->season_mu_after = season_updates[i].after.mu;
        change->season_sigma_after = season_updates[i].after.sigma;
        memcpy(game->by[i], updates[i].by, sizeof(game->by[i]));
        memcpy(game->season_by[i], season_updates[i].by, sizeof(game->season_by[i]));
        rated_game_write_contributions(game, i);
    }
}

static void rated_game_update_best_rating(struct storage_rating *rating, double mu, int64_t at_ms)
{
    if (rating->best_ms == 0 || mu > rating->best_mu) {
        rating->best_mu = mu;
        rating->best_ms = at_ms;
    }
}

void rated_game_add_refund(struct storage_rating *rating, double mu, int64_t at_ms)
{
    rating->mu += mu;
    if (mu > 0) {
        rated_game_update_best_rating(rating, rating->mu, at_ms);
    }
}

void rated_game_apply_change(const struct storage_rating_change *change, bool is_season,
                             struct storage_rating *rating)
{
    bool is_winner = change->win > 0.0;
    rating->games++;
    rating->wins += change->win;
    rating->place_sum += storage_rating_change_place(change);
    rating->finished += !change->has_left;
    rating->left += change->has_left;
    rating->stat_hits += change->stat_hits;
    rating->stat_chances += change->stat_chances;
    if (is_winner) {
        rating->streak = rating->streak > 0 ? rating->streak + 1 : 1;
    } else {
        rating->streak = rating->streak < 0 ? rating->streak - 1 : -1;
    }
    if (rating->best_ms != 0) { /* a refund may have raised the rating since the last game */
        rated_game_update_best_rating(
            rating, is_season ? change->season_mu_before : change->mu_before, change->at_ms);
    }
    rating->mu = is_season ? change->season_mu_after : change->mu_after;
    rating->sigma = is_season ? change->season_sigma_after : change->sigma_after;
    rating->rated_ms = change->at_ms;
    rated_game_update_best_rating(rating, rating->mu, change->at_ms);
}

struct storage_rating rated_game_new_rating(int64_t account, const char *game)
{
    struct rating rating = rating_new();
    struct storage_rating row = {.account = account, .mu = rating.mu, .sigma = rating.sigma};
    (void)snprintf(row.game, sizeof(row.game), "%s", game);
    return row;
}

struct storage_rating rated_game_new_season_rating(const struct storage_rating *all_time,
                                                   int32_t season)
{
    int64_t start_ms = rating_season_start_ms(season);
    struct storage_rating row = rated_game_new_rating(all_time->account, all_time->game);
    struct rating rating = rating_at_season_start(rating_at(all_time, start_ms));
    row.mu = rating.mu;
    row.sigma = rating.sigma;
    row.rated_ms = start_ms;
    row.season = season;
    return row;
}

/* Looks for yesterday's best game at most once a day. Returns the number of the game; 0: there was
 * none. */
static int64_t find_best_game_of_yesterday(struct house *house)
{
    struct best_game *best = &ratings_of(house)->best;
    int64_t day = house->now_ms / DAY_MS;
    if (best->day != day) {
        best->day = day;
        best->game = 0;
        enum storage_result result = storage_past_games_find_highest_rated(
            house->storage, (day - 1) * DAY_MS, day * DAY_MS - 1, &best->game);
        if (result != STORAGE_NOT_FOUND) {
            stored_or_fail(house, result);
        }
    }
    return best->game;
}

void message_best(const struct request *request)
{
    struct house *house = request->house;
    int64_t id = find_best_game_of_yesterday(house);
    struct storage_game game;
    if (id == 0 || !stored(house, storage_game_read(house->storage, id, &game))) {
        answer_ok(request, json_pack("{s:n}", "game_id"));
        return;
    }
    json_t *players = json_array();
    for (int seat = 0; seat < game.players; seat++) {
        (void)json_array_append_new(players, json_string(game.seats[seat].name));
    }
    answer_ok(request, json_pack("{s:I,s:s,s:o}", "game_id", (json_int_t)id, "game", game.game,
                                 "players", players));
}

/* Returns the share of `part` in `whole`, in tenths of a percent; 0 if `whole` is 0. */
static int32_t compute_tenths_of_percent(double part, double whole)
{
    return whole > 0 ? (int32_t)lround(1000.0 * part / whole) : 0;
}

static void leader_row_set_tally(struct leader_row *row, const struct storage_tally *tally)
{
    double games = tally->games;
    row->games = (int32_t)tally->games;
    row->wins_tenths = compute_tenths_of_percent(tally->wins, games);
    row->place_tenths = compute_tenths_of_percent(tally->place_sum, games);
    row->stat_tenths = tally->stat_chances == 0
                           ? ROW_NONE
                           : compute_tenths_of_percent(tally->stat_hits, tally->stat_chances);
    row->finished_tenths =
        compute_tenths_of_percent(tally->finished, (double)tally->finished + tally->left);
}

struct row_rating rating_row_make(const struct storage_rating *rating, int64_t at_ms)
{
    if (rating == NULL) {
        return (struct row_rating){.value = ROW_NONE};
    }
    struct rating now = rating_at(rating, at_ms);
    return (struct row_rating){
        .value = (int32_t)lround(rating_points(now.mu)),
        .is_provisional = rating_is_provisional(rating->games, now.sigma),
    };
}

static void leader_row_set_rating(struct leader_row *row, const struct storage_rating *rating,
                                  int64_t at_ms)
{
    struct rating now = rating_at(rating, at_ms);
    row->rating = rating_row_make(rating, at_ms);
    row->deviation = (int32_t)lround(rating_deviation(now.sigma));
    row->streak = rating->streak;
    row->best = (int32_t)lround(rating_points(rating->best_mu));
    row->best_ms = rating->best_ms;
}

struct leader_row leader_row_make(const struct storage_leader *leader, int64_t at_ms)
{
    struct leader_row row = {
        .rank = (int32_t)leader->rank,
        .change_week = (int32_t)lround(rating_change_in_points(leader->change_week_mu)),
        .kind = (uint8_t)person_kind_of_account((enum storage_kind)leader->kind),
        .role = leader->role,
        .seen_ms = leader->seen_ms,
    };
    row_copy_text(row.name, sizeof(row.name), leader->name);
    leader_row_set_rating(&row, &leader->rating, at_ms);
    leader_row_set_tally(&row, &leader->tally);
    return row;
}
