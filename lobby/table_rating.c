#include "lobby/table_rating.h"

#include "lobby/bot_accounts.h"
#include "lobby/rating.h"
#include "lobby/stored.h"
#include "storage/played.h"
#include "storage/ratings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Those who are rated: by index here, with their seats. */
struct rated {
    size_t count;
    uint8_t seats[SEATS_MAX];
    struct storage_rating rows[SEATS_MAX];
    struct rating_player players[SEATS_MAX];
    struct rating_update updates[SEATS_MAX];
};

void table_rating_ranks(const struct table *table, const struct game_outcome *outcome,
                        uint8_t ranks[SEATS_MAX])
{
    struct rating_finish finishes[SEATS_MAX];
    for (int seat = 0; seat < table->config.players; seat++) {
        finishes[seat] = (struct rating_finish){
            .rank = outcome->ranks[seat],
            .left_for_good = table->plays[seat].has_left,
            .left_step = table->plays[seat].left_step,
        };
    }
    rating_ranks(finishes, table->config.players, ranks);
}

/* A guest has no account, so nothing to rate and nothing to be rated against. No account has two
 * seats: who sits cannot take another, and a bot is never seated twice (bot_seats.h). */
static void rated_read(struct house *house, const struct table *table,
                       const uint8_t ranks[SEATS_MAX], struct rated *rated)
{
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        const struct storage_seat *who = &table->plays[seat].starter;
        if (who->account == 0) {
            continue;
        }
        size_t i = rated->count++;
        struct storage_rating *row = &rated->rows[i];
        struct rating before = rating_new();
        if (stored(house,
                   storage_rating_read(house->storage, who->account, table->game->id, row))) {
            before =
                rating_idle((struct rating){row->mu, row->sigma}, house->now_ms - row->rated_ms);
        } else {
            *row = (struct storage_rating){.account = who->account};
            (void)snprintf(row->game, sizeof(row->game), "%s", table->game->id);
        }
        rated->seats[i] = seat;
        rated->players[i] = (struct rating_player){
            .before = before,
            .rank = ranks[seat],
            .is_bot = bot_account_is(house, who->account),
        };
    }
}

/* The same people again within a day count less and less. */
static double rated_weight(struct house *house, const struct table *table)
{
    int64_t accounts[SEATS_MAX];
    size_t count = 0;
    for (int seat = 0; seat < table->config.players; seat++) {
        const struct storage_seat *who = &table->plays[seat].starter;
        if (who->holder == STORAGE_SEAT_PLAYER && !bot_account_is(house, who->account)) {
            accounts[count++] = who->account;
        }
    }
    uint32_t games = 0;
    stored_or_fail(house, storage_played_together(house->storage, table->game->id, accounts, count,
                                                  house->now_ms - RATING_REPEAT_MS, &games));
    return rating_repeat_weight(games);
}

static void rated_count(const struct table *table, const struct game_outcome *outcome, uint8_t seat,
                        uint8_t rank, struct storage_rating *row)
{
    const struct seat_play *play = &table->plays[seat];
    bool is_winner = !play->has_left && (outcome->winners >> seat & 1) != 0;
    row->games++;
    row->wins += is_winner ? 1.0 / __builtin_popcount(outcome->winners) : 0.0;
    row->place_sum += rating_place(rank, table->config.players);
    row->finished += !play->has_left;
    row->left += play->has_left;
    if (!play->has_left) {
        row->stat_hits += play->stat_hits;
        row->stat_chances += play->stat_chances;
    }
    if (is_winner) {
        row->streak = row->streak > 0 ? row->streak + 1 : 1;
    } else {
        row->streak = row->streak < 0 ? row->streak - 1 : -1;
    }
}

/* What each opponent did, in points, as `by` of the `result` message. */
static void rated_write_by(const struct rated *rated, size_t of, char out[STORAGE_BY_SIZE])
{
    json_t *list = json_array();
    for (size_t i = 0; i < rated->count; i++) {
        double change = rating_points_change(rated->updates[of].by[i]);
        if (i != of && fabs(change) > 0.0) {
            (void)json_array_append_new(list, json_pack("{s:i,s:f}", "seat", rated->seats[i],
                                                        "change", round(change * 10.0) / 10.0));
        }
    }
    char *text = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(6));
    (void)snprintf(out, STORAGE_BY_SIZE, "%s", text == NULL ? "[]" : text);
    free(text);
    json_decref(list);
}

static void rated_store(struct house *house, const struct table *table, struct rated *rated,
                        size_t i)
{
    struct storage_rating *row = &rated->rows[i];
    const struct rating *before = &rated->players[i].before;
    const struct rating *after = &rated->updates[i].after;
    struct storage_rating_change change = {
        .game_id = table->row.game_id,
        .seat = rated->seats[i],
        .account = row->account,
        .mu_before = before->mu,
        .sigma_before = before->sigma,
        .mu_after = after->mu,
        .sigma_after = after->sigma,
        .at_ms = house->now_ms,
    };
    (void)snprintf(change.game, sizeof(change.game), "%s", table->game->id);
    rated_write_by(rated, i, change.by);
    stored_or_fail(house, storage_rating_change_add(house->storage, &change));
    row->mu = after->mu;
    row->sigma = after->sigma;
    row->rated_ms = house->now_ms;
    if (row->best_ms == 0 || row->mu > row->best_mu) {
        row->best_mu = row->mu;
        row->best_ms = house->now_ms;
    }
    stored_or_fail(house, storage_rating_save(house->storage, row));
}

void table_rate(struct house *house, struct table *table, const struct game_outcome *outcome)
{
    uint8_t ranks[SEATS_MAX];
    struct rated rated = {0};
    table_rating_ranks(table, outcome, ranks);
    rated_read(house, table, ranks, &rated);
    struct rating_model model = rating_model_default();
    rating_update(&model, rated.players, rated.count, rated_weight(house, table), rated.updates);
    for (size_t i = 0; i < rated.count; i++) {
        rated_count(table, outcome, rated.seats[i], ranks[rated.seats[i]], &rated.rows[i]);
        rated_store(house, table, &rated, i);
    }
}
