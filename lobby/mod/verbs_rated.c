#include "lobby/mod/verb.h"

#include "lobby/account_sync.h"
#include "lobby/conns.h"
#include "lobby/persons.h"
#include "lobby/rated_game.h"
#include "lobby/rating.h"
#include "lobby/rerate.h"
#include "lobby/standing.h"
#include "lobby/stored.h"
#include "storage/audit.h"
#include "storage/games.h"
#include "storage/played.h"
#include "storage/ratings.h"
#include "storage/refunds.h"

#include <stdio.h>
#include <string.h>

/* What was rated and should not have been. */

#define REFUND_MS (30 * INT64_C(86400000)) /* how far back a player's games are looked at */
#define REFUND_GAMES 500                   /* and how many of them */

/* Everybody with a line in the game's scores. */
static void tell_players(struct order *order, int64_t game, const char *words)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        const struct person *person = person_find(order->house, scores[i].who.name);
        const struct conn *conn = NULL;
        if (person == NULL) {
            continue;
        }
        TAILQ_FOREACH(conn, &person->conns, of_person)
        {
            conn_notice(order->house, conn, "warn", words);
        }
    }
}

static void void_run(struct order *order)
{
    char words[2 * WORDS_MAX];
    if (!order_confirmed(order,
                         _("Game %s becomes void and ratings are computed anew, for good. "
                           "Is it meant?"),
                         order->target.name)) {
        return;
    }
    if (!rerate_void(order->house, order->target.id)) {
        order_no(order, "unknown", _("%s is no finished game, or is void already."),
                 order->target.name);
        return;
    }
    (void)snprintf(words, sizeof(words), _("Game %s is void, says %s: %s"), order->target.name,
                   order_actor(order), order->reason);
    tell_players(order, order->target.id, words);
    order_say(order, "%s", words);
    if (rerate_is_on(order->house)) {
        order_say(order, "%s", _("Ratings are being computed anew."));
    }
}

const struct verb verb_void = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_GAME,
    .run = void_run,
};

struct refund {
    struct order *order;
    int64_t from; /* only what was lost to this account; 0: all that was lost */
    int64_t since_ms;
    size_t count;
    json_t *rows;
};

/* Gives it back to one rating: of a season, or of all time (0). */
static void give(struct refund *refund, const struct storage_rating_change *change, int32_t season,
                 double lost)
{
    struct house *house = refund->order->house;
    struct storage_rating rating;
    const struct storage_refund row = {
        .account = change->account,
        .game = change->game,
        .game_id = change->game_id,
        .season = season,
        .at_ms = house->now_ms,
        .mu = lost,
    };
    enum storage_result found =
        season == 0
            ? storage_rating_read(house->storage, change->account, change->game, &rating)
            : storage_season_read(house->storage, change->account, change->game, season, &rating);
    if (lost <= 0 || !stored(house, found)) {
        return;
    }
    double before = rating.mu;
    rating.mu += lost;
    stored_or_fail(house, season == 0 ? storage_rating_save(house->storage, &rating)
                                      : storage_season_save(house->storage, season, &rating));
    stored_or_fail(house, storage_refund_add(house->storage, &row));
    standing_update(house, change->account, change->game, season);
    (void)json_array_append_new(
        refund->rows, json_pack("{s:I,s:I,s:i,s:f,s:f}", "account", (json_int_t)change->account,
                                "game", (json_int_t)change->game_id, "season", (int)season, "from",
                                rating_points(before), "to", rating_points(rating.mu)));
    refund->count += season == 0;
}

/* A season that has begun since has begun with half of what was lost (RATINGS.md). */
static void give_back(struct refund *refund, const struct storage_rating_change *change,
                      double lost, double season_lost)
{
    int32_t present = rating_season(refund->order->house->now_ms);
    if (change->is_bot) {
        return;
    }
    give(refund, change, 0, lost);
    give(refund, change, change->season, season_lost);
    if (present != change->season) {
        give(refund, change, present, lost / 2);
    }
}

/* What each lost to each, computed as when the game was rated. */
static void refund_compute(struct refund *refund, struct rated_game *game,
                           struct rated_game *season)
{
    struct house *house = refund->order->house;
    uint32_t before = 0;
    stored_or_fail(house, storage_played_before(house->storage, game->changes[0].game_id,
                                                RATING_REPEAT_MS, &before));
    *season = *game;
    for (size_t i = 0; i < season->count; i++) {
        season->changes[i].mu_before = game->changes[i].season_mu_before;
        season->changes[i].sigma_before = game->changes[i].season_sigma_before;
    }
    rated_game_compute(game, rating_repeat_weight(before));
    rated_game_compute(season, rating_repeat_weight(before));
}

static void refund_game(struct refund *refund, int64_t game_id)
{
    struct house *house = refund->order->house;
    struct rated_game game = {0};
    struct rated_game season;
    size_t from = SEATS_MAX;
    stored_or_fail(house, storage_rating_changes_read(house->storage, game_id, game.changes,
                                                      SEATS_MAX, &game.count));
    for (size_t i = 0; i < game.count; i++) {
        const struct storage_rating_change *change = &game.changes[i];
        from = change->account == refund->from ? i : from;
        if (refund->from == 0) {
            give_back(refund, change, change->mu_before - change->mu_after,
                      change->season_mu_before - change->season_mu_after);
        }
    }
    if (refund->from == 0 || from == SEATS_MAX) {
        return;
    }
    refund_compute(refund, &game, &season);
    for (size_t i = 0; i < game.count; i++) {
        if (i != from) {
            give_back(refund, &game.changes[i], -game.by[i][from], -season.by[i][from]);
        }
    }
}

static bool refund_played(void *context, const struct storage_played *played)
{
    struct refund *refund = context;
    if (played->finished_ms < refund->since_ms) {
        return false;
    }
    if (played->is_rated) {
        refund_game(refund, played->game_id);
    }
    return true;
}

static bool refund_was(void *context, const struct storage_audit *row)
{
    bool *is_so = context;
    *is_so = strcmp(row->result, "ok") == 0;
    return !*is_so;
}

/* The same is not given back twice. */
static bool refund_is_new(struct order *order, int64_t since_ms)
{
    bool is_so = false;
    const struct storage_audit_query query = {"", order->target.name, "refund", since_ms, 10};
    stored_or_fail(order->house,
                   storage_audit_each(order->house->storage, &query, refund_was, &is_so));
    if (is_so) {
        order_no(order, "bad", _("What was lost by %s has been given back already."),
                 order->target.name);
    }
    return !is_so;
}

static void refund_run(struct order *order)
{
    bool is_game = order->target.kind == TARGET_GAME;
    struct refund refund = {
        .order = order,
        .from = is_game ? 0 : order->target.id,
        .since_ms = order->house->now_ms - REFUND_MS,
        .rows = json_array(),
    };
    order->after = json_pack("{s:o}", "refunds", refund.rows);
    if (!refund_is_new(order, is_game ? 0 : refund.since_ms)) {
        return;
    }
    if (rerate_is_on(order->house)) {
        order_no(order, "busy", "%s", _("Ratings are being computed anew: again in a moment."));
        return;
    }
    if (is_game) {
        refund_game(&refund, order->target.id);
    } else {
        stored_or_fail(order->house,
                       storage_played_each(order->house->storage, refund.from, INT64_MAX,
                                           REFUND_GAMES, refund_played, &refund));
    }
    if (refund.count == 0) {
        order_no(order, "unknown", "%s", _("Nobody lost rating there."));
        return;
    }
    account_sync_ratings(order->house);
    order_say(order, _("Given back, %zu times."), refund.count);
    if (is_game) {
        char words[2 * WORDS_MAX];
        (void)snprintf(words, sizeof(words), _("Who lost rating in game %s has it back: %s"),
                       order->target.name, order->reason);
        tell_players(order, order->target.id, words);
    }
}

const struct verb verb_refund = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_GAME | TARGET_USER,
    .run = refund_run,
};
