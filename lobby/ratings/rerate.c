#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"
#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <stdio.h>
#include <string.h>

/* The most work in one round of the event loop, about 20 ms. Reading a game costs one unit; rating
 * a game, or an account, costs about eight units. */
#define RERATE_BUDGET 600
#define RERATE_RATED_COST 8
#define RERATE_TURN_MS 50 /* pause between two rounds of re-rating */

struct rerate {
    int64_t due_ms; /* time of the next round of re-rating */
};

PART_STATE(rerate_get_state, struct rerate, rerate);

static void rerate_store_rating(struct house *house, int64_t account, int32_t season,
                                struct rating rating, int64_t as_of_ms)
{
    struct storage_rerating_result rerated = {account, season, rating.mu, rating.sigma, as_of_ms};
    stored_or_fail(house, storage_rerating_result_put(house->storage, &rerated));
}

/* Returns the sum of what staff refunded to the rating since its last game, until `until_ms`. */
static double rerate_sum_refunds(struct house *house, const struct storage_rating *rating,
                                 int64_t until_ms)
{
    struct storage_refund refund = {
        .account = rating->account,
        .game = rating->game,
        .season = rating->season,
        .at_ms = rating->rated_ms,
    };
    stored_or_fail(house, storage_refunds_sum(house->storage, &refund, until_ms));
    return refund.mu;
}

/* Computes the account's re-rated rating just before this rating change; false while no re-rated
 * rating of the account is stored. */
static bool rerate_read_rating(struct house *house, const struct storage_rating_change *change,
                               int32_t season, struct rating *rating)
{
    struct storage_rerating_result rerated = {.account = change->account, .season = season};
    if (!stored(house, storage_rerating_result_read(house->storage, &rerated))) {
        return false;
    }
    struct storage_rating row = rated_game_new_rating(change->account, change->game);
    row.season = season;
    row.rated_ms = rerated.as_of_ms;
    rerated.mu += rerate_sum_refunds(house, &row, change->at_ms);
    *rating = rating_after_idle((struct rating){rerated.mu, rerated.sigma},
                                change->at_ms - rerated.as_of_ms);
    return true;
}

/* Computes the rating with which an account begins a season, after its earlier ratings were
 * recomputed. */
static struct rating rerate_compute_season_start(struct house *house,
                                                 const struct storage_rating_change *change)
{
    struct storage_rerating_result all = {.account = change->account};
    struct storage_rating row = rated_game_new_rating(change->account, change->game);
    if (stored(house, storage_rerating_result_read(house->storage, &all))) {
        row.mu = all.mu;
        row.sigma = all.sigma;
        row.rated_ms = all.as_of_ms;
        row.mu += rerate_sum_refunds(house, &row, rating_season_start_ms(change->season));
    }
    row = rated_game_new_season_rating(&row, change->season);
    return rating_at(&row, change->at_ms);
}

/* Replaces the ratings before the game, as stored in `change`, by the re-rated ones. If the account
 * has no re-rated rating yet: with rates_everything it starts from a newcomer's ratings; otherwise
 * nothing is replaced and the result is false. */
static bool rerate_replace_ratings_before(struct house *house, bool rates_everything,
                                          struct storage_rating_change *change)
{
    struct rating before = rating_new();
    struct rating season_before;
    bool is_out = rerate_read_rating(house, change, 0, &before);
    if (!is_out && !rates_everything) {
        return false;
    }
    if (!rerate_read_rating(house, change, change->season, &season_before)) {
        season_before = rerate_compute_season_start(house, change);
    }
    change->mu_before = before.mu;
    change->sigma_before = before.sigma;
    change->season_mu_before = season_before.mu;
    change->season_sigma_before = season_before.sigma;
    return true;
}

static bool rerate_read_game(struct house *house, int64_t game_id, struct rated_game *game)
{
    stored_or_fail(house, storage_rating_changes_read(house->storage, game_id, game->changes,
                                                      SEATS_MAX, &game->count));
    return stored_can_commit(house);
}

/* Rates one game again. Returns the cost in units of RERATE_BUDGET. */
static int rerate_game(struct house *house, const struct storage_rerating *work, int64_t game_id)
{
    struct rated_game game = {0};
    bool is_touched = false;
    if (!rerate_read_game(house, game_id, &game)) {
        return 1;
    }
    for (size_t i = 0; i < game.count; i++) {
        is_touched |= rerate_replace_ratings_before(house, work->void_id == 0, &game.changes[i]);
    }
    if (!is_touched) {
        return 1;
    }
    rated_game_read_weights(house, &game);
    rated_game_compute_rating_changes(&game);
    rated_game_write_contributions(&game);
    for (size_t i = 0; i < game.count; i++) {
        const struct storage_rating_change *change = &game.changes[i];
        stored_or_fail(house, storage_rating_change_set(house->storage, change));
        rerate_store_rating(house, change->account, 0,
                            (struct rating){change->mu_after, change->sigma_after}, change->at_ms);
        rerate_store_rating(house, change->account, change->season,
                            (struct rating){change->season_mu_after, change->season_sigma_after},
                            change->at_ms);
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

/* Undoes the void game's own effect on ratings, as if nobody had played it. */
static void rerate_undo_void_game(struct house *house, const struct storage_rerating *work)
{
    struct rated_game game = {0};
    if (work->void_id == 0 || !rerate_read_game(house, work->void_id, &game)) {
        return;
    }
    stored_or_fail(house, storage_rating_changes_delete(house->storage, work->void_id));
    for (size_t i = 0; i < game.count; i++) {
        const struct storage_rating_change *change = &game.changes[i];
        rerate_store_rating(house, change->account, 0,
                            (struct rating){change->mu_before, change->sigma_before},
                            change->at_ms);
        rerate_store_rating(house, change->account, change->season,
                            (struct rating){change->season_mu_before, change->season_sigma_before},
                            change->at_ms);
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
    struct storage_rating_changes_query course = {
        .account = account, .game = game, .count = INT32_MAX};
    stored_or_fail(house, storage_ratings_delete(house->storage, account, game));
    stored_or_fail(house, storage_rerating_results_delete(house->storage, account));
    if (rerate_account_is_closed(house, account)) {
        return;
    }
    stored_or_fail(house,
                   storage_rating_changes_each(house->storage, &course, rerate_add_change, &sum));
    rerate_save_season_rating(&sum);
    if (sum.all_time.games > 0) {
        rerate_save_rating(house, &sum.all_time);
    }
    boards_update_account(house, account, game);
}

/* Rates again the games that ended up to `until_ms`, as many as the budget allows. Returns the rest
 * of the budget. */
static int rerate_next_games(struct house *house, struct storage_rerating *work, int64_t until_ms,
                             int budget)
{
    struct storage_ended_game at = {work->after_id, work->at_ms};
    struct storage_ended_game next;
    bool is_more = true;
    while (budget > 0 && stored_can_commit(house)) {
        is_more = stored(house, storage_past_games_find_next_rated(house->storage, work->game, &at,
                                                                   &next)) &&
                  next.at_ms <= until_ms;
        if (!is_more) {
            break;
        }
        budget -= rerate_game(house, work, next.game_id);
        at = next;
    }
    work->at_ms = at.at_ms;
    work->after_id = at.game_id;
    work->phase = is_more ? STORAGE_RERATING_GAMES : STORAGE_RERATING_ACCOUNTS;
    return budget;
}

/* Works on the oldest job as far as the budget of this round allows. Returns false when no job is
 * left, or nothing more can be done in this round. */
static bool rerate_work_on_oldest_job(struct house *house, int *budget)
{
    struct storage_rerating work;
    if (!stored(house, storage_rerating_read_oldest(house->storage, &work))) {
        return false;
    }
    if (work.phase == STORAGE_RERATING_WAITS) {
        rerate_undo_void_game(house, &work);
        work.phase = STORAGE_RERATING_GAMES;
    }
    if (work.phase == STORAGE_RERATING_GAMES) {
        *budget = rerate_next_games(house, &work, house->now_ms, *budget);
    }
    int64_t account = 0;
    bool is_done = false;
    while (*budget > 0 && work.phase == STORAGE_RERATING_ACCOUNTS && !is_done) {
        is_done =
            !stored(house, storage_rerating_result_find_any_account(house->storage, &account));
        if (!is_done) {
            rerate_account(house, account, work.game);
            *budget -= RERATE_RATED_COST;
        }
    }
    if (is_done) {
        stored_or_fail(house, storage_rerating_delete(house->storage, work.id));
        account_sync_rating_listener.rerated(house);
    } else {
        stored_or_fail(house, storage_rerating_save(house->storage, &work));
    }
    return *budget > 0 && stored_can_commit(house);
}

static void rerate_work_for_one_loop_round(struct house *house)
{
    int budget = RERATE_BUDGET;
    while (rerate_work_on_oldest_job(house, &budget)) {
    }
    rerate_get_state(house)->due_ms =
        rerate_is_in_progress(house) ? house->now_ms + RERATE_TURN_MS : INT64_MAX;
}

bool rerate_declare_game_void(struct house *house, int64_t game_id)
{
    struct storage_game game;
    if (!stored(house, storage_game_read(house->storage, game_id, &game)) ||
        !stored(house, storage_game_void(house->storage, game_id))) {
        return false;
    }
    struct storage_rerating work = {
        .void_id = game_id,
        .at_ms = game.finished_ms,
        .after_id = game_id,
    };
    (void)snprintf(work.game, sizeof(work.game), "%s", game.game);
    if (game.is_rated) {
        stored_or_fail(house, storage_refunds_delete(house->storage, game_id));
        stored_or_fail(house, storage_rerating_add(house->storage, &work));
        rerate_work_for_one_loop_round(house);
    }
    return true;
}

bool rerate_is_in_progress(struct house *house)
{
    struct storage_rerating work;
    return stored(house, storage_rerating_read_oldest(house->storage, &work));
}

void rerate_continue(struct house *house)
{
    rerate_get_state(house)->due_ms = rerate_is_in_progress(house) ? house->now_ms : INT64_MAX;
}

static void rerate_tick(struct house *house)
{
    if (house->now_ms >= rerate_get_state(house)->due_ms) {
        rerate_work_for_one_loop_round(house);
    }
}

static int64_t rerate_due_ms(const struct house *house)
{
    return rerate_get_state(house)->due_ms;
}

const struct part rerate_part = {
    .name = "rerate",
    .house_size = sizeof(struct rerate),
    .load = rerate_continue,
    .tick = rerate_tick,
    .next_ms = rerate_due_ms,
};
