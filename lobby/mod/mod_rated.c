#include "lobby/sanctions/sanctions.h"

#include "lobby/accounts/accounts.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <stdio.h>
#include <string.h>

static void notify_players(struct order *order, int64_t game, json_t *sentence)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        const struct person *person = person_find(order->house, scores[i].who.name);
        if (person != NULL) {
            person_send_notice(order->house, person, "warn", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* Refuses the order and returns false when the requester played in the game, since nobody decides
 * on their own game. The owner has no account, so may always decide. */
static bool requester_did_not_play(struct order *order, int64_t game)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    const int64_t own = order_requester_account(order);
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; own != 0 && i < count; i++) {
        if (scores[i].who.account == own) {
            order_refuse(order, "self", _("You played in that game: leave this to others."));
            return false;
        }
    }
    return true;
}

void mod_run_void(struct order *order)
{
    if (!requester_did_not_play(order, order->target.id)) {
        return;
    }
    if (!order_require_confirmation(
            order,
            say(_("Game %s becomes void and ratings are recomputed, for good. Are you sure?"),
                order->target.name))) {
        return;
    }
    if (!rerate_declare_game_void(order->house, order->target.id)) {
        order_refuse(order, "unknown", _("%s is not a finished game, or is void already."),
                     order->target.name);
        return;
    }
    json_t *told = say(_("Game %s is void, says %p: %s"), order->target.name,
                       order_requester_sentence_argument(order), order->reason);
    notify_players(order, order->target.id, json_incref(told));
    order_add_sentence(order, told);
    if (rerate_is_in_progress(order->house)) {
        order_add_line(order, _("Ratings are being recomputed."));
    }
}

/* Refunds of rating that was lost unfairly, in one game or to one player. First shows the computed
 * gains; after confirmation the players get them. Each loss is refunded only once. Refunding a
 * whole game gives what is not refunded yet; after that nothing of this game can be refunded. */

#define REFUND_DAYS 30
/* how far back a player's games are considered */
#define REFUND_MS (REFUND_DAYS * INT64_C(86400000))
#define REFUND_GAMES 500 /* how many of a player's games are considered */

struct refund {
    struct order *order;
    int64_t from; /* refund only losses to this account; 0: all losses */
    int64_t since_ms;
    bool is_meant;  /* false: only compute the gains, and write nothing */
    bool was_given; /* some of the loss was refunded earlier */
    bool is_own;    /* the refund would raise the requester's own rating */
    json_t *gains;  /* JSON {name: {game: points}}: what the players' all-time ratings gain */
    json_t *rows;
};

static void add_gain(struct refund *refund, const struct storage_rating_change *change,
                     double lost_rating)
{
    struct house *house = refund->order->house;
    struct storage_account account;
    const struct game_def *game = game_find(change->game);
    const char *title = game == NULL ? change->game : game->title;
    if (!stored(house, storage_account_by_id(house->storage, change->account, &account))) {
        return;
    }
    json_t *games = json_object_get(refund->gains, account.name);
    if (games == NULL) {
        games = json_object();
        (void)json_object_set_new(refund->gains, account.name, games);
    }
    refund->is_own = refund->is_own || change->account == order_requester_account(refund->order);
    double points =
        json_number_value(json_object_get(games, title)) + rating_change_in_points(lost_rating);
    (void)json_object_set_new(games, title, json_real(points));
}

#define GAINS_SIZE 400

/* Writes the gains of one person, with a comma before all but the first person; false when the text
 * is full. */
static bool write_gains_of_person(const char *name, json_t *games, struct text *text)
{
    const char *game = NULL;
    json_t *points = NULL;
    json_object_foreach(games, game, points)
    {
        char one[96];
        (void)snprintf(one, sizeof(one), "%s%s +%.1f (%.40s)", text->len == 0 ? "" : ", ", name,
                       json_real_value(points), game);
        if (text->len + strlen(one) + 8 > GAINS_SIZE) {
            return false;
        }
        text_put(text, one);
    }
    return true;
}

/* Writes "bob +12.4 (game), eve +3.0 (game)", as many gains as fit. */
static void write_all_gains(const struct refund *refund, char out[GAINS_SIZE])
{
    struct text text = text_init(out, GAINS_SIZE);
    const char *name = NULL;
    json_t *games = NULL;
    json_object_foreach(refund->gains, name, games)
    {
        if (!write_gains_of_person(name, games, &text)) {
            text_put(&text, ", …");
            return;
        }
    }
}

/* The largest rounding error when sums of the same numbers are subtracted from each other. */
#define REFUND_LEAST 1e-9

/* Returns the part of this loss that was not refunded yet. */
static double loss_not_refunded_yet(struct refund *refund,
                                    const struct storage_rating_change *change, int32_t season,
                                    double lost_rating)
{
    struct storage_refund given = {
        .account = change->account,
        .game_id = change->game_id,
        .lost_to = refund->from,
        .season = season,
    };
    bool is_same = false;
    if (lost_rating <= 0 ||
        !stored(refund->order->house,
                storage_refund_sum_of_loss(refund->order->house->storage, &given, &is_same))) {
        return 0;
    }
    refund->was_given = refund->was_given || is_same || given.mu > 0;
    double open = refund->from == 0 ? lost_rating - given.mu : lost_rating;
    return is_same || open < REFUND_LEAST ? 0 : open;
}

/* Refunds the loss to one rating: the rating of a season, or the all-time rating (season 0). */
static void refund_rating(struct refund *refund, const struct storage_rating_change *change,
                          int32_t season, double lost_rating)
{
    struct house *house = refund->order->house;
    struct storage_rating rating;
    const struct storage_refund row = {
        .account = change->account,
        .game = change->game,
        .game_id = change->game_id,
        .lost_to = refund->from,
        .season = season,
        .at_ms = house->now_ms,
        .mu = lost_rating,
    };
    enum storage_result found =
        season == 0 ? storage_rating_read(house->storage, change->account, change->game, &rating)
                    : storage_season_rating_read(house->storage, change->account, change->game,
                                                 season, &rating);
    if (lost_rating <= 0 || !stored(house, found)) {
        return;
    }
    if (season == 0) {
        add_gain(refund, change, lost_rating);
    }
    if (!refund->is_meant) {
        return;
    }
    double before = rating.mu;
    rated_game_add_refund(&rating, lost_rating, house->now_ms);
    stored_or_fail(house, season == 0
                              ? storage_rating_save(house->storage, &rating)
                              : storage_season_rating_save(house->storage, season, &rating));
    stored_or_fail(house, storage_refund_add(house->storage, &row));
    standing_update_leaderboards(house, change->account, change->game, season);
    (void)json_array_append_new(
        refund->rows, json_pack("{s:I,s:I,s:i,s:f,s:f}", "account", (json_int_t)change->account,
                                "game", (json_int_t)change->game_id, "season", (int)season, "from",
                                rating_points(before), "to", rating_points(rating.mu)));
}

/* Refunds the loss to all ratings that the loss has lowered. If a season began after the game, only
 * half of the loss was carried into that season, so its rating gets half of the
 * refund. */
static void refund_loss(struct refund *refund, const struct storage_rating_change *change,
                        double lost_rating, double lost_season_rating)
{
    int32_t present = rating_season_at(refund->order->house->now_ms);
    if (change->is_bot) {
        return;
    }
    double open = loss_not_refunded_yet(refund, change, 0, lost_rating);
    refund_rating(refund, change, change->season,
                  loss_not_refunded_yet(refund, change, change->season, lost_season_rating));
    refund_rating(refund, change, 0, open);
    if (present != change->season) {
        refund_rating(refund, change, present, open / 2);
    }
}

/* Repeats the rating calculation of the game, for the all-time ratings in `game` and for the
 * season's ratings in `season_game`. by[i][j] is then how much player i gained from player j. */
static void compute_losses(struct refund *refund, struct rated_game *game,
                           struct rated_game *season_game)
{
    rated_game_read_weights(refund->order->house, game);
    *season_game = *game;
    for (size_t i = 0; i < season_game->count; i++) {
        season_game->changes[i].mu_before = game->changes[i].season_mu_before;
        season_game->changes[i].sigma_before = game->changes[i].season_sigma_before;
    }
    rated_game_compute_rating_changes(game);
    rated_game_compute_rating_changes(season_game);
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
            refund_loss(refund, change, change->mu_before - change->mu_after,
                        change->season_mu_before - change->season_mu_after);
        }
    }
    if (refund->from == 0 || from == SEATS_MAX) {
        return;
    }
    compute_losses(refund, &game, &season);
    for (size_t i = 0; i < game.count; i++) {
        if (i != from) {
            refund_loss(refund, &game.changes[i], -game.by[i][from], -season.by[i][from]);
        }
    }
}

static bool refund_played_game(void *context, const struct storage_past_game *played)
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

static void compute_refund(struct refund *refund)
{
    struct house *house = refund->order->house;
    json_decref(refund->gains);
    refund->gains = json_object();
    if (refund->from == 0) {
        refund_game(refund, refund->order->target.id);
    } else {
        stored_or_fail(house,
                       storage_past_games_by_account(house->storage, refund->from, INT64_MAX,
                                                     REFUND_GAMES, refund_played_game, refund));
    }
}

static void refuse_empty_refund(const struct refund *refund)
{
    struct order *order = refund->order;
    if (refund->was_given) {
        order_refuse(order, "bad",
                     refund->from == 0
                         ? _("The rating lost in game %s has been given back already.")
                         : _("The rating lost to %s has been given back already."),
                     order->target.name);
        return;
    }
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    if (refund->from == 0) {
        stored_or_fail(order->house, storage_scores_read(order->house->storage, order->target.id,
                                                         scores, STORAGE_SCORES_MAX, &count));
    }
    if (refund->from == 0 && count == 0) {
        order_refuse(order, "unknown", _("%s is not a finished game."), order->target.name);
    }
    order_refuse(order, "unknown",
                 refund->from == 0 ? _("Nobody lost rating in game %s.")
                                   : _("Nobody lost rating to %s in the last 30 days."),
                 order->target.name);
}

/* Shows who would gain how much, and asks for confirmation. */
static bool require_refund_confirmation(struct refund *refund)
{
    struct order *order = refund->order;
    char gains[GAINS_SIZE];
    compute_refund(refund);
    write_all_gains(refund, gains);
    if (json_object_size(refund->gains) == 0) {
        refuse_empty_refund(refund);
        return false;
    }
    if (refund->is_own) {
        order_refuse(order, "self", _("You would gain rating yourself: leave this to others."));
        return false;
    }
    if (refund->from == 0) {
        return order_require_confirmation(
            order, say(_("Whoever lost rating in game %s gets it back, and nobody loses "
                         "any: %s. Are you sure?"),
                       order->target.name, gains));
    }
    return order_require_confirmation(
        order, say(_("Whoever lost rating to %s in the last %d days gets it back; %s gains "
                     "and loses nothing: %s. Are you sure?"),
                   order->target.name, REFUND_DAYS, order->target.name, gains));
}

static void report_refund(struct refund *refund)
{
    struct order *order = refund->order;
    char gains[GAINS_SIZE];
    write_all_gains(refund, gains);
    if (refund->from != 0) {
        order_add_line(order, _("Rating given back to those who lost it to %s: %s"),
                       order->target.name, gains);
        return;
    }
    order_add_line(order, _("Rating given back to those who lost it in game %s: %s"),
                   order->target.name, gains);
    notify_players(order, order->target.id,
                   say(_("Whoever lost rating in game %s has it back: %s"), order->target.name,
                       order->reason));
}

static void carry_out_refund(struct refund *refund)
{
    struct order *order = refund->order;
    if (!require_refund_confirmation(refund)) {
        return;
    }
    refund->is_meant = true;
    refund->rows = json_array();
    order->after = json_pack("{s:o}", "refunds", refund->rows);
    compute_refund(refund);
    account_sync_refresh_ratings(order->house);
    report_refund(refund);
}

void mod_run_refund(struct order *order)
{
    bool is_game = order->target.kind == TARGET_GAME;
    struct refund refund = {
        .order = order,
        .from = is_game ? 0 : order->target.id,
        .since_ms = order->house->now_ms - REFUND_MS,
    };
    if (rerate_is_in_progress(order->house)) {
        order_refuse(order, "busy", _("Ratings are being recomputed: try again in a moment."));
        return;
    }
    carry_out_refund(&refund);
    json_decref(refund.gains);
}
