#include "lobby/mod/verb.h"

#include "lobby/conns.h"
#include "lobby/persons.h"
#include "lobby/rating.h"
#include "lobby/rerate.h"
#include "lobby/standing.h"
#include "lobby/stored.h"
#include "storage/audit.h"
#include "storage/games.h"
#include "storage/played.h"
#include "storage/ratings.h"

#include <math.h>
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

/* What a change took because of whoever sat there, in mu; 0 and more. */
static double lost_to(const struct storage_rating_change *change, int seat)
{
    size_t i;
    json_t *by;
    double lost = 0;
    json_t *list = json_loads(change->by, 0, NULL);
    json_array_foreach(list, i, by)
    {
        double points = json_number_value(json_object_get(by, "change"));
        if (json_integer_value(json_object_get(by, "seat")) == seat && points < 0) {
            lost = -points / rating_points_change(1.0);
        }
    }
    json_decref(list);
    return lost;
}

static void give_back(struct refund *refund, const struct storage_rating_change *change,
                      double lost)
{
    struct house *house = refund->order->house;
    struct storage_rating rating;
    if (lost <= 0 || change->is_bot ||
        !stored(house,
                storage_rating_read(house->storage, change->account, change->game, &rating))) {
        return;
    }
    double before = rating.mu;
    rating.mu += lost;
    stored_or_fail(house, storage_rating_save(house->storage, &rating));
    standing_update(house, change->account, change->game, 0);
    (void)json_array_append_new(
        refund->rows, json_pack("{s:I,s:I,s:f,s:f}", "account", (json_int_t)change->account, "game",
                                (json_int_t)change->game_id, "from", rating_points(before), "to",
                                rating_points(rating.mu)));
    refund->count++;
}

static void refund_game(struct refund *refund, int64_t game)
{
    struct storage_rating_change changes[STORAGE_SCORES_MAX];
    size_t count = 0;
    int seat = -1;
    stored_or_fail(refund->order->house,
                   storage_rating_changes_read(refund->order->house->storage, game, changes,
                                               STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        seat = changes[i].account == refund->from ? changes[i].seat : seat;
    }
    for (size_t i = 0; i < count; i++) {
        double all = changes[i].mu_before - changes[i].mu_after;
        if (refund->from == 0) {
            give_back(refund, &changes[i], all);
        } else if (seat >= 0 && changes[i].seat != seat) {
            give_back(refund, &changes[i], lost_to(&changes[i], seat));
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
