#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"
#include "lobby/play/play.h"

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
    const int64_t own = order->by_account;
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; own != 0 && i < count; i++) {
        if (scores[i].who.account == own) {
            return order_refuse(order, "self", _("You played in that game: leave this to others."));
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
                       say_word_argument(order->by_name), order->reason);
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
#define REFUND_MS (REFUND_DAYS * DAY_MS)
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
    refund->is_own = refund->is_own || change->account == refund->order->by_account;
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
    const struct storage_refund loss = {
        .account = change->account,
        .game_id = change->game_id,
        .lost_to = refund->from,
        .season = season,
    };
    struct storage_refund_sum given;
    if (lost_rating <= 0 ||
        !stored(refund->order->house,
                storage_refund_sum_of_loss(refund->order->house->storage, &loss, &given))) {
        return 0;
    }
    refund->was_given = refund->was_given || given.is_refunded || given.mu > 0;
    double open = refund->from == 0 ? lost_rating - given.mu : lost_rating;
    return given.is_refunded || open < REFUND_LEAST ? 0 : open;
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
    if (lost_rating <= 0 || !stored(house, storage_rating_read(house->storage, change->account,
                                                               change->game, season, &rating))) {
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
    stored_or_fail(house, storage_rating_save(house->storage, &rating));
    stored_or_fail(house, storage_refund_add(house->storage, &row));
    boards_update_account(house, change->account, change->game);
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

static void refund_game(struct refund *refund, int64_t game_id)
{
    struct house *house = refund->order->house;
    struct rated_game game = {0};
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
    rated_game_read_weights(house, &game);
    rated_game_compute_rating_changes(&game);
    for (size_t i = 0; i < game.count; i++) {
        if (i != from) {
            refund_loss(refund, &game.changes[i], -game.by[i][from], -game.season_by[i][from]);
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
        return order_refuse(order, "self",
                            _("You would gain rating yourself: leave this to others."));
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

/* Commands with which hosts and staff control tables. */

/* Finds the table that the requester has entered. Refuses the order and returns NULL when the
 * requester is not its host. */
static struct table *find_hosted_table(struct order *order)
{
    struct table *table = conn_table(order->conn);
    if (table == NULL || strcmp(table->row.host_name, order->by_name) != 0) {
        order_refuse(order, "not_host",
                     _("Only the host of a table can do that: open your own table."));
        return NULL;
    }
    order->table_id = table->row.id;
    return table;
}

/* Refuses the order when the target cannot be invited to the table. */
static void refuse_impossible_invitation(struct order *order, const struct table *table)
{
    const struct person *person = order->target.person;
    struct clock_rule rule = table_clock_rule(table);
    if (person == NULL) {
        order_refuse(order, "absent", _("%s is not in the house."), order->target.name);
    } else if (person == order->conn->person) {
        order_refuse(order, "self", _("You cannot name yourself here."));
    } else if (table_seat_of(table, person) >= 0) {
        order_refuse(order, "seated", _("%s has a seat here already."), person->name);
    } else if (table_is_playing(table)) {
        order_refuse(order, "started",
                     _("A game is on: invite people once it is over, or to another table."));
    } else if (table_seats_held_by(table, STORAGE_SEAT_EMPTY) == 0) {
        order_refuse(order, "full",
                     _("Every seat is taken: free one first, by /nobot 2 or /kick."));
    } else if (person->kind == PERSON_GUEST && !clock_rule_is_for_one_sitting(&rule)) {
        order_refuse(order, "guest",
                     _("This game is played over days, and a guest cannot come back."));
    } else if (person->presence == PRESENCE_DND) {
        order_refuse(order, "dnd", _("%s does not want to be disturbed: ask later."), person->name);
    }
}

void mod_run_invite(struct order *order)
{
    struct table *table = find_hosted_table(order);
    if (table == NULL || !voice_allows_order(order, MUTE_TELL)) {
        return;
    }
    refuse_impossible_invitation(order, table);
    if (order->code == NULL) {
        invites_create(order->house, table, order->conn->person, order->target.person);
        order_add_line(order, _("%s is invited, for five minutes."), order->target.name);
    }
}

void mod_run_host(struct order *order)
{
    struct table *table = find_hosted_table(order);
    const struct person *person = order->target.person;
    if (table == NULL) {
        return;
    }
    if (person == NULL || table_seat_of(table, person) < 0) {
        order_refuse(order, "not_seated", _("%s has no seat here."), order->target.name);
        return;
    }
    table_set_host(order->house, table, person->account, person->name);
    json_t *told = say(_("%s is the host now."), person->name);
    chat_announce_at_table(order->house, table, json_incref(told));
    order_add_sentence(order, told);
}

/* Moves the connection to the table as an unseen observer. */
static void observing_start(struct house *house, struct conn *conn, struct table *table,
                            const char *reason)
{
    table_exit(house, conn, true);
    (void)snprintf(table_conn_state(conn)->observes, sizeof(table_conn_state(conn)->observes), "%s",
                   reason);
    table_enter(house, conn, table);
    chat_send_table_backlog(house, conn);
}

void mod_run_observe(struct order *order)
{
    struct table *table = order->target.table;
    struct conn *conn = order->conn;
    if (conn->person == NULL) {
        order_refuse(order, "bad", _("A program cannot watch a table: sign in yourself."));
    } else if (table_seat_of(table, conn->person) >= 0) {
        order_refuse(order, "seated", _("You have a seat there."));
    } else if (order_require_confirmation(order, say(_("You will watch %s unseen; its people are "
                                                       "told once you leave. Are you sure?"),
                                                     order->target.name))) {
        observing_start(order->house, conn, table, order->reason);
        order_add_line(order, _("You watch %s unseen."), order->target.name);
    }
}

static void end_game_unrated(struct order *order)
{
    struct table *table = order->target.table;
    if (!order_require_confirmation(
            order, say(_("The game at %s ends unrated, and the table closes. Are you sure?"),
                       order->target.name))) {
        return;
    }
    json_t *told = say(_("%p is ended by %p and not rated: %s"), table_title(table),
                       say_word_argument(order->by_name), order->reason);
    table_notify_people(order->house, table, json_incref(told));
    chat_announce_at_table(order->house, table, json_incref(told));
    table_close(order->house, table);
    order->target.table = NULL;
    order_add_sentence(order, told);
}

/* Finds the seat of the person with that name. Refuses the order and returns -1 when there is
 * none. */
static int find_seat_by_name(struct order *order, const char *name)
{
    const struct table *table = order->target.table;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_person =
            holder->holder == STORAGE_SEAT_PLAYER || holder->holder == STORAGE_SEAT_GUEST;
        if (is_person && strcmp(holder->name, name) == 0) {
            return seat;
        }
    }
    order_refuse(order, "unknown", _("%s does not play there."), name);
    return -1;
}

/* Refuses the order and returns false when the requester is in the game, since nobody decides on
 * their own game. */
static bool requester_does_not_play(struct order *order)
{
    const struct table *table = order->target.table;
    const int64_t own = order->by_account;
    for (int seat = 0; own != 0 && seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == own || table->plays[seat].starter.account == own) {
            order_refuse(order, "self", _("You play in that game: leave this to others."));
        }
    }
    return order->code == NULL;
}

/* Ranks the people on these seats (one bit for each seat) below all who finish. Bots play on for
 * them, so that the result still follows from the moves and gives everybody else their scores. */
static void make_seats_lose(struct order *order, unsigned seats)
{
    struct table *table = order->target.table;
    char names[WORDS_MAX / 2];
    struct text text = text_init(names, sizeof(names));
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((seats >> seat & 1U) != 0) {
            text_put(&text, text.len == 0 ? "" : ", ");
            text_put(&text, table->row.seats[seat].name);
        }
    }
    json_t *told = say(_("%p has decided that %s lose this game: %s"),
                       say_word_argument(order->by_name), names, order->reason);
    table_notify_people(order->house, table, json_incref(told));
    chat_announce_at_table(order->house, table, json_incref(told));
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((seats >> seat & 1U) != 0) {
            table_game_leave_for_good(order->house, table, seat);
        }
    }
    order->after = json_pack("{s:s}", "lost", names);
    order_add_sentence(order, told);
}

/* Makes the listed people lose: "eve" or "eve,bob". */
static void adjudicate_forfeits(struct order *order, const char *losers)
{
    char names[STORAGE_FINGERPRINT_SIZE];
    char *rest = NULL;
    unsigned seats = 0;
    (void)snprintf(names, sizeof(names), "%s", losers);
    for (const char *name = strtok_r(names, ",", &rest); name != NULL && order->code == NULL;
         name = strtok_r(NULL, ",", &rest)) {
        int seat = find_seat_by_name(order, name);
        seats |= seat < 0 ? 0U : 1U << seat;
    }
    if (seats == 0) {
        order_refuse(order, "bad", _("Say who loses: forfeit=eve, or forfeit=eve,bob."));
    }
    if (order->code == NULL &&
        order_require_confirmation(
            order, say(_("%s loses the game at %s. Are you sure?"), losers, order->target.name))) {
        make_seats_lose(order, seats);
    }
}

/* Makes everybody but this person lose. */
static void adjudicate_winner(struct order *order, const char *name)
{
    const struct table *table = order->target.table;
    int winner = name[0] == '\0' ? -1 : find_seat_by_name(order, name);
    unsigned seats = 0;
    for (int seat = 0; winner >= 0 && seat < table->row.players; seat++) {
        enum storage_holder holder = table->row.seats[seat].holder;
        bool is_person = holder == STORAGE_SEAT_PLAYER || holder == STORAGE_SEAT_GUEST;
        seats |= is_person && seat != winner ? 1U << seat : 0U;
    }
    if (name[0] == '\0') {
        order_refuse(order, "bad", _("Say who wins: win=eve."));
    }
    if (winner >= 0 && seats == 0) {
        order_refuse(order, "bad", _("Apart from bots, nobody but %s plays there."), name);
    }
    if (order->code == NULL &&
        order_require_confirmation(order,
                                   say(_("All people at %s but %s lose the game. Are you sure?"),
                                       order->target.name, name))) {
        make_seats_lose(order, seats);
    }
}

void mod_run_adjudicate(struct order *order)
{
    struct table *table = order->target.table;
    order->game_id = table->row.game_id;
    name_to_lower(order->word);
    if (!table_is_playing(table)) {
        order_refuse(order, "no_game", _("No game is running there."));
    } else if (!requester_does_not_play(order)) {
        return;
    } else if (strcmp(order->word, "void") == 0) {
        end_game_unrated(order);
    } else if (strncmp(order->word, "forfeit=", 8) == 0) {
        adjudicate_forfeits(order, order->word + 8);
    } else if (strncmp(order->word, "win=", 4) == 0) {
        adjudicate_winner(order, order->word + 4);
    } else {
        order_refuse(order, "bad",
                     _("Type void, forfeit=NAME of a loser, or win=NAME of the winner."));
    }
}
