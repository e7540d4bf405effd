#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"
#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most work in one round of the event loop, about 20 ms. Reading a game costs one unit; rating
 * a game, or an account, costs about eight units. */
#define RERATE_BUDGET 600
#define RERATE_RATED_COST 8
#define RERATE_TURN_MS 50 /* pause between two rounds of re-rating */

static bool rerate_is_affected(const struct rerate *rerate, int64_t account)
{
    return (size_t)account < rerate->count && rerate->affected[account];
}

static void rerate_add_affected(struct rerate *rerate, int64_t account)
{
    while (rerate->count <= (size_t)account) {
        rerate->affected =
            memory_grow(rerate->affected, rerate->count, &rerate->cap, sizeof(*rerate->affected));
        rerate->affected[rerate->count++] = false;
    }
    rerate->affected[account] = true;
}

/* Returns the sum of what staff refunded to the rating since its last game, until `until_ms`. */
static double rerate_sum_refunds(struct house *house, const struct storage_rating *rating,
                                 int64_t until_ms)
{
    struct storage_refund_sum sum = {0};
    stored_or_fail(house, storage_refunds_sum(house->storage, rating, until_ms, &sum));
    return sum.mu;
}

/* Computes the rating with which an account begins a season from its rating before, of all time. */
static struct storage_rating rerate_compute_season_start(struct house *house, int32_t season,
                                                         struct storage_rating all_time)
{
    all_time.mu += rerate_sum_refunds(house, &all_time, rating_season_start_ms(season));
    return rated_game_new_season_rating(&all_time, season);
}

/* Returns the rating at `at_ms`, with the refunds since the last game. */
static struct rating rerate_compute_rating_at(struct house *house, struct storage_rating rating,
                                              int64_t at_ms)
{
    rating.mu += rerate_sum_refunds(house, &rating, at_ms);
    return rating_at(&rating, at_ms);
}

/* Replaces the ratings before the game, as stored in `change`, by those that follow from the
 * account's change before it. */
static void rerate_replace_ratings_before(struct house *house, struct storage_rating_change *change)
{
    struct storage_rating_change last;
    struct storage_rating all_time = rated_game_new_rating(change->account, change->game);
    struct storage_rating season = all_time;
    bool has_played = stored(house, storage_rating_change_find_last(house->storage, change, &last));
    if (has_played) {
        rated_game_apply_change(&last, false, &all_time);
    }
    if (has_played && last.season == change->season) {
        season.season = change->season;
        rated_game_apply_change(&last, true, &season);
    } else {
        season = rerate_compute_season_start(house, change->season, all_time);
    }
    struct rating before = rerate_compute_rating_at(house, all_time, change->at_ms);
    struct rating season_before = rerate_compute_rating_at(house, season, change->at_ms);
    change->mu_before = before.mu;
    change->sigma_before = before.sigma;
    change->season_mu_before = season_before.mu;
    change->season_sigma_before = season_before.sigma;
}

static bool rerate_read_game(struct house *house, int64_t game_id, struct rated_game *game)
{
    stored_or_fail(house, storage_rating_changes_read(house->storage, game_id, game->changes,
                                                      SEATS_MAX, &game->count));
    return stored_can_commit(house);
}

/* Rates one game again. Returns the cost in units of RERATE_BUDGET. */
static int rerate_game(struct house *house, struct rerate *rerate, int64_t game_id)
{
    struct rated_game game = {0};
    bool is_affected = false;
    if (!rerate_read_game(house, game_id, &game)) {
        return 1;
    }
    for (size_t i = 0; i < game.count; i++) {
        if (rerate_is_affected(rerate, game.changes[i].account)) {
            rerate_replace_ratings_before(house, &game.changes[i]);
            is_affected = true;
        }
    }
    if (!is_affected) {
        return 1;
    }
    rated_game_read_weights(house, &game);
    rated_game_compute_rating_changes(&game);
    for (size_t i = 0; i < game.count; i++) {
        stored_or_fail(house, storage_rating_change_set(house->storage, &game.changes[i]));
        rerate_add_affected(rerate, game.changes[i].account);
    }
    return RERATE_RATED_COST;
}

/* Returns true if the account is closed. A closed account has no rating, but its games still count
 * for the others. */
static bool rerate_account_is_closed(struct house *house, int64_t account)
{
    struct storage_account row;
    return !stored(house, storage_account_by_id(house->storage, account, &row)) || row.is_closed;
}

/* Undoes the void game's own effect on ratings, as if nobody had played it. Does nothing when it is
 * undone already. */
static void rerate_undo_void_game(struct house *house, int64_t void_id)
{
    struct rated_game game = {0};
    if (!rerate_read_game(house, void_id, &game)) {
        return;
    }
    stored_or_fail(house, storage_rating_changes_delete(house->storage, void_id));
    for (size_t i = 0; i < game.count; i++) {
        const struct storage_rating_change *change = &game.changes[i];
        if (!rerate_account_is_closed(house, change->account)) {
            stored_or_fail(house, storage_tallies_add_rating_change(house->storage, change, -1));
            stored_or_fail(house, storage_tallies_update_last_ms(house->storage, change->account,
                                                                 change->game));
        }
    }
}

/* Collects the ratings of an account over all its games, from the first to the last. */
struct rerate_sum {
    struct house *house;
    struct storage_rating all_time;
    struct storage_rating of_season; /* its season is 0 as long as there was none yet */
};

/* Saves a recomputed rating, with what staff refunded to it since its last game. */
static void rerate_save_rating(struct house *house, struct storage_rating *rating)
{
    rated_game_add_refund(rating, rerate_sum_refunds(house, rating, house->now_ms), house->now_ms);
    stored_or_fail(house, storage_rating_save(house->storage, rating));
}

static void rerate_save_season_rating(struct rerate_sum *sum)
{
    if (sum->of_season.season != 0) {
        rerate_save_rating(sum->house, &sum->of_season);
    }
}

static bool rerate_add_change(void *context, const struct storage_rating_change *change)
{
    struct rerate_sum *sum = context;
    if (change->season != sum->of_season.season) {
        rerate_save_season_rating(sum);
        sum->of_season = rated_game_new_rating(change->account, change->game);
        sum->of_season.season = change->season;
    }
    rated_game_apply_change(change, false, &sum->all_time);
    rated_game_apply_change(change, true, &sum->of_season);
    return stored_can_commit(sum->house);
}

void rerate_account(struct house *house, int64_t account, const char *game)
{
    struct rerate_sum sum = {.house = house, .all_time = rated_game_new_rating(account, game)};
    stored_or_fail(house, storage_ratings_delete(house->storage, account, game));
    if (rerate_account_is_closed(house, account)) {
        return;
    }
    stored_or_fail(house, storage_rating_changes_each(house->storage, account, game, 0,
                                                      rerate_add_change, &sum));
    rerate_save_season_rating(&sum);
    if (sum.all_time.games > 0) {
        rerate_save_rating(house, &sum.all_time);
    }
    boards_update_account(house, account, game);
}

void rerate_apply_computed_ratings(struct house *house, int64_t account, const char *game)
{
    struct rerate *rerate = &ratings_of(house)->rerate;
    if (rerate->is_past_games && strcmp(rerate->game, game) == 0 &&
        rerate_is_affected(rerate, account)) {
        rerate->affected[account] = false;
        rerate_account(house, account, game);
    }
}

/* Begins the first job; false when there is none. */
static bool rerate_begin_first_job(struct house *house, struct rerate *rerate)
{
    struct storage_game game;
    int64_t void_id = 0;
    if (!stored(house, storage_rerating_find_first(house->storage, &void_id)) ||
        !stored(house, storage_game_read(house->storage, void_id, &game))) {
        return false;
    }
    rerate->void_id = void_id;
    rerate->done = (struct storage_ended_game){void_id, game.finished_ms};
    rerate->is_past_games = false;
    (void)snprintf(rerate->game, sizeof(rerate->game), "%s", game.game);
    for (int seat = 0; seat < game.players; seat++) {
        if (game.seats[seat].account != 0) {
            rerate_add_affected(rerate, game.seats[seat].account);
        }
    }
    rerate_undo_void_game(house, void_id);
    return true;
}

/* Rates the next game again. Returns the cost in units of RERATE_BUDGET. */
static int rerate_next_game(struct house *house, struct rerate *rerate)
{
    struct storage_ended_game next;
    rerate->is_past_games = !stored(house, storage_past_games_find_next_rated(
                                               house->storage, rerate->game, &rerate->done, &next));
    if (rerate->is_past_games) {
        return 0;
    }
    rerate->done = next;
    return rerate_game(house, rerate, next.game_id);
}

/* Recomputes the ratings of the last account that is affected. Returns the cost in units of
 * RERATE_BUDGET. */
static int rerate_last_account(struct house *house, struct rerate *rerate)
{
    int64_t account = (int64_t)--rerate->count;
    if (!rerate->affected[account]) {
        return 0;
    }
    rerate_account(house, account, rerate->game);
    return RERATE_RATED_COST;
}

/* Works on the first job as far as the budget of this round allows. Returns false when no job is
 * left, or nothing more can be done in this round. */
static bool rerate_work_on_first_job(struct house *house, int *budget)
{
    struct rerate *rerate = &ratings_of(house)->rerate;
    if (rerate->void_id == 0 && !rerate_begin_first_job(house, rerate)) {
        return false;
    }
    while (*budget > 0 && !rerate->is_past_games && stored_can_commit(house)) {
        *budget -= rerate_next_game(house, rerate);
    }
    while (*budget > 0 && rerate->is_past_games && rerate->count > 0) {
        *budget -= rerate_last_account(house, rerate);
    }
    if (rerate->is_past_games && rerate->count == 0) {
        stored_or_fail(house, storage_rerating_delete(house->storage, rerate->void_id));
        rerate->void_id = 0;
        account_sync_rating_listener.rerated(house);
    }
    return *budget > 0 && stored_can_commit(house);
}

static void rerate_work_for_one_loop_round(struct house *house)
{
    int budget = RERATE_BUDGET;
    while (rerate_work_on_first_job(house, &budget)) {
    }
    ratings_of(house)->rerate.due_ms =
        rerate_is_in_progress(house) ? house->now_ms + RERATE_TURN_MS : INT64_MAX;
}

bool rerate_declare_game_void(struct house *house, int64_t game_id)
{
    struct storage_game game;
    if (!stored(house, storage_game_read(house->storage, game_id, &game)) ||
        !stored(house, storage_game_void(house->storage, game_id))) {
        return false;
    }
    if (game.is_rated) {
        stored_or_fail(house, storage_refunds_delete(house->storage, game_id));
        stored_or_fail(house, storage_rerating_add(house->storage, game_id));
        rerate_work_for_one_loop_round(house);
    }
    return true;
}

bool rerate_is_in_progress(struct house *house)
{
    int64_t void_id = 0;
    return stored(house, storage_rerating_find_first(house->storage, &void_id));
}

static void load_ratings(struct house *house)
{
    boards_load(house);
    ratings_of(house)->rerate.due_ms = rerate_is_in_progress(house) ? house->now_ms : INT64_MAX;
}

static void clear_ratings(struct house *house)
{
    boards_forget(house);
    free(ratings_of(house)->rerate.affected);
    ratings_of(house)->rerate = (struct rerate){0};
}

static void rerate_when_due(struct house *house)
{
    if (house->now_ms >= ratings_of(house)->rerate.due_ms) {
        rerate_work_for_one_loop_round(house);
    }
}

static int64_t rerate_due_ms(const struct house *house)
{
    return ratings_of(house)->rerate.due_ms;
}

const struct part ratings_part = {
    .name = "ratings",
    .house_size = sizeof(struct ratings),
    .load = load_ratings,
    .clear = clear_ratings,
    .tick = rerate_when_due,
    .next_ms = rerate_due_ms,
};
