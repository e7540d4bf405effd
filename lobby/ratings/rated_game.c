#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void rated_game_compute_rating_changes(struct rated_game *game)
{
    const struct rating_model model = rating_model_default();
    struct rating_player players[SEATS_MAX];
    struct rating_player of_season[SEATS_MAX];
    struct rating_update updates[SEATS_MAX];
    struct rating_update season_updates[SEATS_MAX];
    for (size_t i = 0; i < game->count; i++) {
        const struct storage_rating_change *change = &game->changes[i];
        players[i] = (struct rating_player){
            .before = {change->mu_before, change->sigma_before},
            .rank = change->rank,
            .is_bot = change->is_bot,
        };
        of_season[i] = players[i];
        of_season[i].before =
            (struct rating){change->season_mu_before, change->season_sigma_before};
    }
    rating_update(&model, players, game->count, &game->weights, updates);
    rating_update(&model, of_season, game->count, &game->weights, season_updates);
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        change->mu_after = updates[i].after.mu;
        change->sigma_after = updates[i].after.sigma;
        change->season_mu_after = season_updates[i].after.mu;
        change->season_sigma_after = season_updates[i].after.sigma;
        memcpy(game->by[i], updates[i].by, sizeof(game->by[i]));
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

void rated_game_write_contributions(struct rated_game *game)
{
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        json_t *list = rated_game_opponent_contributions_json(game, i);
        char *text = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(6));
        (void)snprintf(change->by, sizeof(change->by), "%s", text == NULL ? "[]" : text);
        free(text);
        json_decref(list);
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
    /* A player who left counts as last, even if other players left earlier and nobody finished. */
    rating->place_sum +=
        change->has_left ? 0.0 : rating_place_quality(change->rank, change->players);
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
    struct rating rating = {all_time->mu, all_time->sigma};
    if (all_time->rated_ms > 0) {
        rating = rating_after_idle(rating, start_ms - all_time->rated_ms);
    }
    rating = rating_at_season_start(rating);
    row.mu = rating.mu;
    row.sigma = rating.sigma;
    row.rated_ms = start_ms;
    return row;
}
