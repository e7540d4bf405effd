#include "lobby/play/play.h"

#include "games/claim.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/people/people.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const struct table_listener *const table_listeners[] = {
#define TABLE_LISTENER(name) &name##_table_listener,
#include "lobby/tables/listeners.def"
};

static struct storage_score make_score_of_seat_holder(const struct table *table,
                                                      const struct game_outcome *outcome,
                                                      uint8_t seat)
{
    const struct seat_play *play = &table->plays[seat];
    return (struct storage_score){
        .seat = seat,
        .who = table->row.seats[seat],
        .score = outcome->scores[seat],
        .rank = outcome->ranks[seat],
        .is_winner = (outcome->winners >> seat & 1) != 0,
        .stat_hits = play->has_left ? 0 : play->stat_hits,
        .stat_chances = play->has_left ? 0 : play->stat_chances,
    };
}

/* Returns the rank of a player who left for good: below everybody who sits at the table at the end,
 * bots included. Of two who left, the one who left later ranks higher. */
static uint8_t rank_of_leaver(const struct table *table, uint8_t seat)
{
    uint8_t rank = (uint8_t)(table->config.players + 1U);
    for (uint8_t other = 0; other < table->config.players; other++) {
        const struct seat_play *play = &table->plays[other];
        rank = (uint8_t)(rank + (play->has_left && play->left_step > table->plays[seat].left_step));
    }
    return rank;
}

/* Makes the score row of a player who left for good. The player gets no points: the seat's points
 * belong to the bot. */
static struct storage_score make_score_of_leaver(const struct table *table, uint8_t seat)
{
    const struct seat_play *play = &table->plays[seat];
    return (struct storage_score){
        .seat = seat,
        .who = play->starter,
        .rank = rank_of_leaver(table, seat),
        .stat_hits = play->stat_hits,
        .stat_chances = play->stat_chances,
        .left_for_good = true,
    };
}

/* Adds the score rows of all seats with this rank. Returns how many rows were added. */
static size_t add_scores_of_rank(const struct table *table, const struct game_outcome *outcome,
                                 uint8_t rank, struct storage_score *scores)
{
    size_t count = 0;
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        if (outcome->ranks[seat] == rank) {
            scores[count++] = make_score_of_seat_holder(table, outcome, seat);
        }
    }
    return count;
}

/* Collects the score rows of everybody who played, best first; players who left for good come last.
 * Returns how many rows there are. */
static size_t collect_scores(const struct table *table, const struct game_outcome *outcome,
                             struct storage_score scores[STORAGE_SCORES_MAX])
{
    size_t count = 0;
    uint8_t players = table->config.players;
    for (uint8_t rank = 1; rank <= players; rank++) {
        count += add_scores_of_rank(table, outcome, rank, scores + count);
    }
    for (uint8_t seat = 0; seat < players; seat++) {
        if (table->plays[seat].has_left) {
            scores[count++] = make_score_of_leaver(table, seat);
        }
    }
    return count;
}

/* Makes the JSON from the stored rating change, without the account, which may be closed by now. */
static json_t *make_rating_change_json(struct house *house,
                                       const struct storage_rating_change *change)
{
    uint32_t games = 0;
    stored_or_fail(house,
                   storage_rating_changes_count(house->storage, change->account, change->game,
                                                change->at_ms, RATING_SETTLED_GAMES, &games));
    json_t *by = json_loads(change->by, 0, NULL);
    return json_pack(
        "{s:i,s:i,s:i,s:b,s:o}", "before", (int)lround(rating_points(change->mu_before)), "after",
        (int)lround(rating_points(change->mu_after)), "deviation",
        (int)lround(rating_deviation(change->sigma_after)), "is_provisional",
        rating_is_provisional(games, change->sigma_after), "by", by == NULL ? json_array() : by);
}

/* Makes an array with one entry for each seat: the rating change of the player who had that seat at
 * the start of the game, or null. */
static json_t *make_rating_changes_json(struct house *house, const struct table *table)
{
    struct storage_rating_change changes[STORAGE_SCORES_MAX];
    size_t count = 0;
    table_check_storage_result(house, table,
                               storage_rating_changes_read(house->storage, table->row.game_id,
                                                           changes, STORAGE_SCORES_MAX, &count));
    json_t *ratings = json_array();
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        (void)json_array_append_new(ratings, json_null());
    }
    for (size_t i = 0; i < count && i < STORAGE_SCORES_MAX; i++) {
        (void)json_array_set_new(ratings, changes[i].seat,
                                 make_rating_change_json(house, &changes[i]));
    }
    return ratings;
}

/* Lists the players who left for good, with their seats and ranks. */
static json_t *make_leavers_json(const struct table *table)
{
    json_t *list = json_array();
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        if (table->plays[seat].has_left) {
            (void)json_array_append_new(list, json_pack("{s:i,s:s,s:i}", "seat", seat, "name",
                                                        table->plays[seat].starter.name, "rank",
                                                        rank_of_leaver(table, seat)));
        }
    }
    return list;
}

/* Makes an array of the names of those who held the seats at the end, since they may leave their
 * seats before somebody reads the result. */
static json_t *make_holder_names_json(const struct table *table)
{
    json_t *names = json_array();
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        const struct storage_seat *starter = &table->plays[seat].starter;
        bool is_starters = !table->plays[seat].has_left && starter->name[0] != '\0';
        (void)json_array_append_new(
            names, json_string(is_starters ? starter->name : table->row.seats[seat].name));
    }
    return names;
}

void table_finish_make_result(struct house *house, struct table *table)
{
    struct game_outcome outcome;
    game_fill_outcome(table->game, &table->state, &outcome);
    json_t *scores = json_array();
    json_t *ranks = json_array();
    json_t *winners = json_array();
    uint8_t seats = game_seats(table->game, &table->config);
    for (uint8_t seat = 0; seat < seats; seat++) {
        (void)json_array_append_new(scores, json_integer(outcome.scores[seat]));
        (void)json_array_append_new(
            ranks, outcome.ranks[seat] == 0 ? json_null() : json_integer(outcome.ranks[seat]));
        if ((outcome.winners >> seat & 1) != 0) {
            (void)json_array_append_new(winners, json_integer(seat));
        }
    }
    char seed[2 * SEED_BYTES + 1];
    struct text text = text_init(seed, sizeof(seed));
    text_put_hex(&text, table->seed, SEED_BYTES);
    payload_release(table->result);
    table->result = payload_from_json(json_pack(
        "{s:s,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:s,s:o}", "t", "result", "table",
        (json_int_t)table->row.id, "game_id", (json_int_t)table->row.game_id, "scores", scores,
        "ranks", ranks, "winners", winners, "names", make_holder_names_json(table), "left",
        make_leavers_json(table), "seed", seed, "ratings", make_rating_changes_json(house, table)));
}

static void announce_winners(struct house *house, struct table *table,
                             const struct game_outcome *outcome)
{
    struct text names = TEXT_OF(WORDS_MAX / 2); /* the names of all winners except the last */
    const char *last = NULL;
    int score = 0;
    for (int seat = 0; seat < table->config.players; seat++) {
        if ((outcome->winners >> seat & 1) != 0) {
            text_put(&names, names.len > 0 ? ", " : "");
            text_put(&names, last != NULL ? last : "");
            last = table->row.seats[seat].name;
            score = outcome->scores[seat];
        }
    }
    json_t *over;
    if (last == NULL) {
        over = say(_("%p is over: nobody won"), table_title(table));
    } else {
        json_t *winners = names.len > 0 ? say(_("%s and %s"), names.at, last) : say("%s", last);
        over = say(_("%p is over: won by %p with %d"), table_title(table),
                   say_sentence_argument(winners), score);
    }
    if (!table_is_lesson(table)) {
        table_news_tell(house, TABLE_NEWS_OVER, json_incref(over));
    }
    chat_announce_at_table(house, table, over);
}

/* Reads the new rating of each player, which the lobby shows. */
static void refresh_shown_ratings(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->config.players; seat++) {
        struct person *person = person_find(house, table->plays[seat].starter.name);
        if (person != NULL && person->account != 0) {
            person_read_rating(house, person);
        }
    }
}

/* True when somebody who is no bot has made a move in the game. */
static bool person_has_moved(const struct table *table)
{
    for (size_t i = 0; i < table->move_count; i++) {
        const struct seat_play *play = &table->plays[table->moves[i].seat];
        if (seat_has_person(&play->starter) && (!play->has_left || i < play->left_step)) {
            return true;
        }
    }
    return false;
}

/* Ends the current game without a result: it counts for nobody and is not rated. */
static void table_finish_without_result(struct house *house, struct table *table)
{
    if (table->row.state == STORAGE_TABLE_PLAYING && !person_has_moved(table)) {
        table_check_storage_result(house, table,
                                   storage_game_delete(house->storage, table->row.game_id));
    } else if (table->row.state == STORAGE_TABLE_PLAYING) {
        struct storage_finish finish = {
            .game = table->row.game_id,
            .state = STORAGE_GAME_CUT,
            .finished_ms = house->now_ms,
        };
        table_check_storage_result(house, table, storage_game_finish(house->storage, &finish));
    }
    memset(table->row.asks, 0, sizeof(table->row.asks));
}

/* Ends the game after its last move: stores scores and ratings, and sends the result. */
static void finish_game(struct house *house, struct table *table)
{
    struct game_outcome outcome;
    struct storage_score scores[STORAGE_SCORES_MAX];
    /* if there is a fault in rating the game, this table is closed */
    const struct doing was = fault_blame_item(house, "table", table->row.id);
    game_fill_outcome(table->game, &table->state, &outcome);
    if (table->is_rated) {
        table_rate_game(house, table, &outcome);
    }
    struct storage_finish finish = {
        .game = table->row.game_id,
        .state = STORAGE_GAME_FINISHED,
        .finished_ms = house->now_ms,
        .is_rated = table->is_rated,
        .scores = scores,
        /* without scores, a lesson is in nobody's history or statistics */
        .score_count = table_is_lesson(table) ? 0 : collect_scores(table, &outcome, scores),
    };
    table_check_storage_result(house, table, storage_game_finish(house->storage, &finish));
    table->row.state = STORAGE_TABLE_FINISHED;
    memset(table->row.asks, 0, sizeof(table->row.asks));
    for (int seat = 0; seat < table->row.players; seat++) {
        table->row.seats[seat].is_absent = false;
    }
    table_watch_update_visible_state(house, table);
    table_finish_make_result(house, table);
    refresh_shown_ratings(house, table);
    metrics_count(house, HOUSE_METRIC_games_finished, table->game->id, NULL, 1);
    HOOKS_CALL(table_listeners, game_over, house, table);
    table_push_send_changes(house); /* send the last card before the winner is announced */
    announce_winners(house, table, &outcome);
    house->doing = was;
}

void table_close(struct house *house, struct table *table)
{
    table_finish_without_result(house, table);
    table->row.state = STORAGE_TABLE_CLOSED;
    table->row.rematch = 0;
    table_save(house, table);
    stored_or_fail(house, storage_table_forget_people(house->storage, table->row.id));
    stored_or_fail(house, storage_invitations_delete_for_table(house->storage, table->row.id));
    while (!TAILQ_EMPTY(&table->conns)) {
        struct conn *conn = TAILQ_FIRST(&table->conns)->conn;
        observing_end(house, conn, table);
        TAILQ_REMOVE(&table->conns, &table_conn_state(conn)->link, in_list);
        table_conn_state(conn)->table = NULL;
        person_mark_changed(house, conn->person);
        conn_save(house, conn);
    }
    tables_of(house)->rows_changed = true; /* the table's bots are listed at another one, or not */
    HOOKS_CALL(table_listeners, closed, house, table);
    table_free(house, table);
}

/* Adds a finished round to the table's score sheet, and counts it in the players' statistics. */
static void record_round_score(struct table *table, const struct game_event *event)
{
    const struct score_row *row = &event->row;
    json_t *line = memory_check_allocated(json_loads(event->json.at, 0, NULL));
    json_t *bids = json_array();
    json_t *tricks = json_array();
    json_t *parts = json_array();
    uint8_t seats = game_seats(table->game, &table->config);
    for (uint8_t seat = 0; seat < seats; seat++) {
        if (row->has_bids) {
            (void)json_array_append_new(bids, json_integer(row->bids[seat]));
        }
        (void)json_array_append_new(tricks, json_integer(row->tricks[seat]));
    }
    for (uint8_t part = 0; part < row->part_count; part++) {
        json_t *of_seats = json_array();
        for (uint8_t seat = 0; seat < seats; seat++) {
            (void)json_array_append_new(of_seats, json_integer(row->parts[part][seat]));
        }
        (void)json_array_append_new(parts, of_seats);
    }
    (void)json_object_set_new(line, "n", json_integer(row->round));
    (void)json_object_set_new(line, "bids", bids);
    (void)json_object_set_new(line, "tricks", tricks);
    (void)json_object_set_new(line, "parts", parts);
    (void)json_array_append_new(table->sheet, line);
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        struct seat_play *play = &table->plays[seat];
        if (!play->has_left) {
            play->stat_hits += table->game->stat.is_hit(row, seat);
            play->stat_chances++;
        }
    }
}

static void note_event(void *context, const struct game_event *event)
{
    struct table *table = context;
    table->is_trick_over = table->is_trick_over || strcmp(event->kind, "trick") == 0;
    table->is_round_new = table->is_round_new || strcmp(event->kind, "round") == 0;
    if (event->is_score) {
        record_round_score(table, event);
    }
}

/* Called when the seats on turn may have changed. Stops the clock of the player who moved, starts
 * the clocks of seats that are newly on turn, and forgets which bot processes were asked for a
 * move. The clock of a seat that was on turn before and still is runs on. */
static void update_turns_and_clocks(struct table *table, uint8_t seats_on_turn_before, int mover,
                                    int64_t at_ms)
{
    uint8_t turn = game_seats_to_act(&table->state);
    if (mover >= 0) {
        table_clock_end_turn(&table->clock, mover, at_ms);
    }
    for (int seat = 0; seat < table->config.players; seat++) {
        struct seat_play *play = &table->plays[seat];
        bool was_waiting = seat != mover && (seats_on_turn_before >> seat & 1) != 0;
        if ((turn >> seat & 1) != 0 && !was_waiting) {
            table_clock_begin_turn(&table->clock, seat, &play->time, at_ms);
            play->since_step = table->move_count;
            play->is_out_of_time = false;
        }
        play->asked_ms = 0;
        play->asked_conn = 0;
        play->answer = MOVE_NONE;
    }
    table->moved_ms = at_ms;
}

/* Forgets the score sheet and result of the previous game. */
static void forget_sheet_and_result(struct table *table)
{
    (void)json_array_clear(table->sheet);
    table->sheet_told = 0;
    payload_release(table->result);
    table->result = NULL;
}

/* Begins a new game, of which spectators know no move yet. */
static void table_watch_begin_game(struct table *table)
{
    struct table_watch *watch = &table->watch;
    watch->step = 0;
    watch->beat_ms = 0;
    watch->beat_from = 0;
    watch->beat_to = 0;
    watch->rows = 0;
    watch->rows_told = 0;
    watch->is_round_over = false;
    watch->round_step = 0;
    watch->former_round_step = 0;
    watch->is_changed = true;
    free(watch->told);
    watch->told = NULL;
    watch->state = table->state;
}

void table_game_deal(struct table *table, int64_t at_ms)
{
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        struct seat_play *play = &table->plays[seat];
        play->stat_hits = 0;
        play->stat_chances = 0;
        play->has_left = false;
        play->starter = table->row.seats[seat];
    }
    table->move_count = 0;
    table->is_trick_over = false;
    table->claim = (struct table_claim){.count = 0};
    struct clock_rule rule = table_clock_rule(table);
    table_clock_init(&table->clock, &rule);
    forget_sheet_and_result(table);
    (void)crypto_hash_sha256(table->commitment, table->seed, sizeof(table->seed));
    struct game_log log = {table, note_event};
    /* this cannot fail: the configuration was checked when the table was set up */
    table->has_game =
        game_start(table->game, &table->config, table->seed, &table->state, &log) == GAME_OK;
    table_watch_begin_game(table);
    update_turns_and_clocks(table, 0, -1, at_ms);
}

/* Records a move that was made at at_ms; is_new_round: the move began a new round. */
static void table_watch_note_move(struct table *table, int64_t at_ms, bool is_new_round)
{
    struct table_watch *watch = &table->watch;
    size_t last = table->move_count - 1;
    watch->made_ms = memory_grow(watch->made_ms, last, &watch->made_cap, sizeof(*watch->made_ms));
    watch->made_ms[last] = at_ms;
    if (is_new_round) {
        watch->former_round_step = watch->round_step;
        watch->round_step = table->move_count;
    }
}

enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms)
{
    struct game_log log = {table, note_event};
    uint8_t seats_on_turn_before = game_seats_to_act(&table->state);
    bool was_trick_over = table->is_trick_over;
    table->is_trick_over = false;
    table->is_round_new = false;
    enum game_result result = game_apply(table->game, &table->state, seat, move, &log);
    if (result != GAME_OK) {
        table->is_trick_over = was_trick_over;
        return result;
    }
    table->moves =
        memory_grow(table->moves, table->move_count, &table->move_cap, sizeof(*table->moves));
    table->moves[table->move_count++] = (struct history_move){seat, move};
    table_watch_note_move(table, at_ms, table->is_round_new);
    update_turns_and_clocks(table, seats_on_turn_before, seat, at_ms);
    return GAME_OK;
}

static void store_new_game(struct house *house, struct table *table)
{
    struct storage_game game = {
        .table = table->row.id,
        .players = table->config.players,
        .format = GAME_FORMAT,
        .is_rated = table->is_rated,
        .started_ms = house->now_ms,
    };
    struct text options = text_init(game.options, sizeof(game.options));
    game_config_write(table->game, &table->config, &options);
    (void)snprintf(game.game, sizeof(game.game), "%s", table->game->id);
    memcpy(game.seed, table->seed, sizeof(game.seed));
    memcpy(game.commitment, table->commitment, sizeof(game.commitment));
    memcpy(game.seats, table->row.seats, sizeof(game.seats));
    table_check_storage_result(house, table,
                               storage_game_start(house->storage, &game, &table->row.game_id));
}

static void announce_game_begun(struct house *house, struct table *table)
{
    char buffer[WORDS_MAX / 2];
    struct text names = text_init(buffer, sizeof(buffer));
    for (int seat = 0; seat < table->row.players; seat++) {
        text_put(&names, seat == 0 ? "" : ", ");
        text_put(&names, table->row.seats[seat].name);
    }
    if (!table_is_lesson(table)) {
        table_news_tell(house, TABLE_NEWS_BEGUN,
                        say(_("%p has begun: %s"), table_title(table), buffer));
    }
    chat_announce_at_table(house, table, say("%s", table_rating_game_start_sentence(house, table)));
}

void table_game_draw_seed(struct house *house, struct table *table)
{
    house->config.random(house->config.random_context, table->seed, sizeof(table->seed));
}

static void send_spectator_to_lobby(struct house *house, struct table *table, struct conn *conn)
{
    conn_notify_removed_from_table(
        house, conn, table->row.id,
        say(table->row.watch_policy == WATCH_FRIENDS
                ? _("The game at %p is for its players and their friends to see: you are "
                    "back in the lobby.")
                : _("The game at %p is for its players alone to see: you are back in the "
                    "lobby."),
            table_title(table)));
    table_exit(house, conn, false);
    conn_save(house, conn);
}

/* Sends spectators who may no longer watch back to the lobby. Call it when a game has begun or a
 * player has given up their seat. */
static void table_people_remove_barred_spectators(struct house *house, struct table *table)
{
    struct conn_link *next = NULL;
    for (struct conn_link *link = TAILQ_FIRST(&table->conns); link != NULL; link = next) {
        struct conn *conn = link->conn;
        next = TAILQ_NEXT(link, in_list);
        if (table_seat_of(table, conn->person) >= 0 || conn_is_observing(conn)) {
            continue;
        }
        if (!table_watch_allows(house, table, conn->person)) {
            send_spectator_to_lobby(house, table, conn);
        } else if (table_watch_is_delayed(table)) {
            /* Send the table again to a former player, who now sees it as a spectator does. */
            table_conn_state(conn)->is_new = true;
        }
    }
}

void table_game_begin_from_seed(struct house *house, struct table *table)
{
    table->is_rated = table_may_be_rated(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        table->row.seats[seat].is_absent = false;
    }
    table->row.halt = STORAGE_HALT_NONE;
    table->row.halt_ms = 0;
    table->row.halt_by[0] = '\0';
    table->row.resume_asked = 0;
    table->row.resume_due_ms = 0;
    table->row.rematch = 0;
    table_times_read_time_off(house, table);
    table_game_deal(table, house->now_ms);
    store_new_game(house, table);
    table->row.state = STORAGE_TABLE_PLAYING;
    absences_note_players_at_start(house, table);
    table_people_remove_barred_spectators(house, table);
    announce_game_begun(house, table);
    metrics_count(house, HOUSE_METRIC_games_begun, table->game->id, NULL, 1);
    HOOKS_CALL(table_listeners, game_begun, house, table);
}

/* Draws the seats of a rated game by lot, so that nobody chooses whom to play after. The lot comes
 * before the seed, so it does not depend on any cards. */
static void draw_seats_by_lot(struct house *house, struct table *table)
{
    uint8_t lot[SEED_BYTES], from[SEATS_MAX] = {0, 1, 2, 3, 4, 5, 6};
    struct deal_stream stream;
    struct storage_seat seats[SEATS_MAX];
    int64_t gone_ms[SEATS_MAX];
    house->config.random(house->config.random_context, lot, sizeof(lot));
    deal_stream_init(&stream, lot);
    deal_stream_shuffle(&stream, from, table->row.players);
    memcpy(seats, table->row.seats, sizeof(seats));
    memcpy(gone_ms, table->gone_ms, sizeof(gone_ms));
    for (uint8_t seat = 0; seat < table->row.players; seat++) {
        table->row.seats[seat] = seats[from[seat]];
        table->gone_ms[seat] = gone_ms[from[seat]];
    }
    chat_announce_at_table(house, table, say(_("The seats have been drawn by lot.")));
}

void table_game_begin(struct house *house, struct table *table)
{
    if (house->config.play_lots && table_may_be_rated(house, table)) {
        draw_seats_by_lot(house, table);
    }
    table_game_draw_seed(house, table);
    table_game_begin_from_seed(house, table);
}

void table_game_reopen_table(struct table *table)
{
    if (table->row.state != STORAGE_TABLE_FINISHED) {
        return;
    }
    table->row.state = STORAGE_TABLE_OPEN;
    table->has_game = false;
    table->row.rematch = 0;
    forget_sheet_and_result(table);
    table->watch.rows = 0;
    table->watch.rows_told = 0;
}

/* After a player's own move, sets the number of missed turns to 0 and ends the player's respite
 * from deadlines. */
static void table_times_note_move_by_player(struct house *house, struct table *table, int seat)
{
    table->clock.seats[seat].misses = 0;
    if (!clock_rule_is_for_one_sitting(&table->clock.rule)) {
        deadline_respite_end(house, table->row.seats[seat].account);
    }
}

enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin)
{
    uint32_t step = (uint32_t)table->move_count;
    size_t rounds = json_array_size(table->sheet);
    enum game_result result = table_game_apply_move(table, seat, move, house->now_ms);
    if (result != GAME_OK) {
        return result;
    }
    if (!table->claim.is_accepted) {
        table->claim.count = 0;
    }
    char buffer[MOVE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    game_move_write(table->game, move, &text);
    struct storage_move row = {
        .game = table->row.game_id,
        .step = step,
        .seat = seat,
        .text = buffer,
        .at_ms = house->now_ms,
        .conn = origin == NULL ? 0 : origin->conn,
        .request = origin == NULL ? 0 : origin->request,
    };
    table_check_storage_result(house, table, storage_moves_append(house->storage, &row, 1));
    metrics_count(house, HOUSE_METRIC_moves, table->game->id, origin == NULL ? "house" : "player",
                  1);
    if (origin != NULL) {
        table_times_note_move_by_player(house, table, seat);
    }
    if (json_array_size(table->sheet) > rounds && game_seats_to_act(&table->state) != 0) {
        table_halt_begin_round_stop(house, table);
    }
    if (!table_watch_is_delayed(table)) {
        table_watch_update_visible_state(house, table);
    }
    if (game_seats_to_act(&table->state) == 0) {
        finish_game(house, table);
    }
    return GAME_OK;
}

void table_game_leave_for_good(struct house *house, struct table *table, int seat)
{
    struct storage_seat left = table->row.seats[seat];
    if (table->claim.seat == seat) {
        table->claim.count = 0;
    }
    /* This cannot fail: there are more bots of medium level than a table has seats. */
    if (!bot_seat_fill(house, table, seat, BOT_LEVEL_MEDIUM)) {
        table->row.seats[seat] = left;
        return;
    }
    struct storage_seat_change change = {
        .step = (uint32_t)table->move_count,
        .seat = (uint8_t)seat,
        .who = table->row.seats[seat],
    };
    table_check_storage_result(
        house, table, storage_seat_change_add(house->storage, table->row.game_id, &change));
    struct seat_play *play = &table->plays[seat];
    play->has_left = true;
    play->left_step = change.step;
    play->asked_ms = 0;
    play->answer = MOVE_NONE;
    if (strcmp(left.name, table->row.host_name) == 0) {
        table_choose_new_host(house, table);
    }
    chat_announce_at_table(
        house, table,
        say(_("%s left the game for good; %s, a bot, plays on."), left.name, change.who.name));
    table_people_remove_barred_spectators(house, table);
    table_people_note_presence(house, table);
    table_halt_note_player_gone(house, table, seat);
}

/* True when this move was already carried out. Then the client has repeated the move, because its
 * answer was lost. */
static bool move_was_carried_out(const struct table *table, int64_t step, int seat, uint8_t move)
{
    return (size_t)step < table->move_count && table->moves[step].seat == seat &&
           table->moves[step].move == move;
}

/* True when the player had seen all moves that matter for this move. Moves that others made in the
 * same simultaneous turn do not matter. */
static bool mover_saw_current_state(const struct table *table, int64_t step, int seat)
{
    return (size_t)step == table->move_count ||
           ((size_t)step < table->move_count && (table_seats_on_turn(table) >> seat & 1) != 0 &&
            (size_t)step >= table->plays[seat].since_step);
}

static void refuse_move(const struct request *request, enum game_result result)
{
    if (result == GAME_NOT_YOUR_TURN) {
        answer_no(request, "not_your_turn",
                  _("It is not your turn: wait until the others have played."));
    } else if (result == GAME_OVER) {
        answer_no(request, "stale", _("That game is over: ask for a rematch to play again."));
    } else {
        answer_no(request, "illegal",
                  _("The rules do not allow that now: choose one of the moves offered."));
    }
}

/* Puts a player who acts at the table back on their seat: a bot that played for them stops. */
static void return_to_seat_if_absent(struct house *house, struct table *table, int seat)
{
    if (table->row.seats[seat].is_absent) {
        table_return_to_seat(house, table, seat);
    }
}

void message_move(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    int64_t step = 0;
    struct table *table = request_find_named_table(request);
    int seat = table == NULL ? -1 : table_seat_of(table, request->conn->person);
    if (seat < 0) {
        answer_no(request, "not_your_turn",
                  _("You have no seat at that table: take one before its next game."));
        return;
    }
    const char *text = json_read_text(body, "move", MOVE_TEXT_MAX);
    uint8_t move = text == NULL ? MOVE_NONE : game_move_parse(table->game, text);
    return_to_seat_if_absent(house, table, seat);
    if (!table->has_game || !json_read_number(body, "step", 0, UINT16_MAX, &step)) {
        answer_no(request, "stale",
                  _("No game at this table has that step: look at the table again."));
    } else if (move_was_carried_out(table, step, seat, move)) {
        answer_ok(request, NULL);
    } else if (!table_is_playing(table)) {
        refuse_move(request, GAME_OVER);
    } else if (!mover_saw_current_state(table, step, seat)) {
        answer_no(request, "stale", _("The table has moved on since: look again and choose anew."));
    } else if (table->row.halt == STORAGE_HALT_ROUND) {
        answer_no(request, "halted",
                  _("The round has just ended: go on with any key or /resume, then make your "
                    "move."));
    } else if (table->row.halt != STORAGE_HALT_NONE) {
        answer_no(request, "halted", _("The game stands still: /resume to go on with it."));
    } else {
        struct storage_move origin = {.conn = request->conn->id, .request = request->id};
        enum game_result result =
            move == MOVE_NONE ? GAME_ILLEGAL
                              : table_game_make_move(house, table, (uint8_t)seat, move, &origin);
        if (result == GAME_OK) {
            answer_ok(request, NULL);
        } else {
            refuse_move(request, result);
        }
    }
}

void message_seat_back(const struct request *request)
{
    int seat = table_seat_of(request->table, request->conn->person);
    if (seat >= 0) {
        return_to_seat_if_absent(request->house, request->table, seat);
    }
    answer_ok(request, NULL);
}

void message_rematch(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    int seat = table_seat_of(table, request->conn->person);
    if (seat < 0 || table->row.state != STORAGE_TABLE_FINISHED) {
        answer_no(request, "not_seated",
                  _("A rematch is for those who sit at a finished game: take a free seat first."));
        return;
    }
    if (!disabled_allows_new_game(request, table->game->id)) {
        return;
    }
    table->row.rematch = (uint8_t)(table->row.rematch | 1U << seat);
    answer_ok(request, NULL);
    if (!table_rematch_is_agreed(table)) {
        return;
    }
    if (table_seats_held_by(table, STORAGE_SEAT_EMPTY) == 0) {
        table_game_begin(house, table);
    } else {
        /* somebody has left, and their seat has to be filled before a rematch */
        table_game_reopen_table(table);
    }
}

/* The seats that are asked and whose players can still answer. */
static unsigned seats_to_wait_for(const struct house *house, const struct table *table)
{
    return table->claim.asked & table_seats_entered(house, table) & ~table_seats_absent(table);
}

/* Plays the round to its end: the claimant in the order of the proof, the others their first legal
 * cards. Each trick is sent, so that people can read it. */
static void play_out_claim(struct house *house, struct table *table)
{
    const struct table_claim claim = table->claim;
    enum game_result result = GAME_OK;
    uint8_t played = 0;
    table->claim.is_accepted = true;
    table->claim.asked = 0;
    chat_announce_at_table(house, table,
                           say(_("The claim stands: %s takes all remaining tricks (%u)."),
                               table->row.seats[claim.seat].name, (unsigned)claim.count));
    do {
        uint8_t seat = (uint8_t)__builtin_ctz(table_seats_on_turn(table));
        struct move_set legal;
        game_find_legal_moves(table->game, &table->state, seat, &legal);
        bool is_claimant = seat == claim.seat && played < claim.count;
        uint8_t move = is_claimant ? claim.cards[played++] : move_set_next(&legal, 0);
        result = table_game_make_move(house, table, seat, move, NULL);
        if (table->is_trick_over) {
            table_push_send_changes(house);
        }
    } while (result == GAME_OK && table_is_playing(table) && !table->is_round_new);
    table->claim.count = 0;
}

/* Returns when players who have not answered count as accepting: at the latest when the claimant's
 * turn would pass to a bot, so that asking costs the claimant no time. INT64_MAX: no claim is
 * open. */
static int64_t claim_due_ms(const struct house *house, const struct table *table)
{
    if (table->claim.count == 0) {
        return INT64_MAX;
    }
    if (seats_to_wait_for(house, table) == 0) {
        return house->now_ms;
    }
    int64_t turn_ms = table_times_timeout_at_ms(house, table, table->claim.seat);
    return turn_ms < table->claim.due_ms ? turn_ms : table->claim.due_ms;
}

/* Plays the round out once everybody has accepted the claim. */
static void settle_claim(struct house *house, struct table *table)
{
    if (claim_due_ms(house, table) <= house->now_ms) {
        play_out_claim(house, table);
    }
}

/* Checks whether the seat may claim now; refuses the request if not. */
static bool may_claim(const struct request *request)
{
    const struct table *table = request->table;
    int64_t step = 0;
    if (!json_read_number(request->body, "step", 0, UINT16_MAX, &step) ||
        (size_t)step != table->move_count) {
        answer_no(request, "stale", _("The table has moved on since: look again and choose anew."));
    } else if (table->row.halt != STORAGE_HALT_NONE) {
        answer_no(request, "halted", _("The game stands still: /resume to go on with it."));
    } else if ((table_seats_on_turn(table) >> request->seat & 1) == 0) {
        answer_no(request, "not_your_turn",
                  _("It is not your turn: claim when you are to play a card."));
    } else if (table->claim.is_refused && table->claim.refused_step == table->move_count) {
        answer_no(request, "refused",
                  _("Somebody wants to play on: play a card, and claim in the next trick."));
    } else {
        return true;
    }
    return false;
}

static void open_claim(struct house *house, struct table *table, int seat,
                       const struct claim_proof *proof)
{
    struct table_claim *claim = &table->claim;
    *claim = (struct table_claim){
        .due_ms = house->now_ms + CLAIMS_ANSWER_MS,
        .count = proof->count,
        .seat = (uint8_t)seat,
        .asked = (uint8_t)(((1U << table->row.players) - 1) & ~(1U << seat)),
    };
    memcpy(claim->cards, proof->cards, sizeof(claim->cards));
    claim->asked = (uint8_t)seats_to_wait_for(house, table);
}

void message_claim(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    struct game_view view;
    struct claim_proof proof;
    if (table->row.seats[request->seat].is_absent) {
        table_return_to_seat(house, table, request->seat);
    }
    if (!may_claim(request)) {
        return;
    }
    if (table->claim.count > 0) { /* the claim is the requester's: it is their turn */
        answer_ok(request, NULL);
        return;
    }
    game_fill_view(table->game, &table->state, (int8_t)request->seat, &view);
    const char *objection = claim_prove(&view, &table->config, &proof);
    if (objection != NULL) {
        answer_no_with_sentence(request, "unproven", say("%s", objection));
        return;
    }
    open_claim(house, table, request->seat, &proof);
    answer_ok(request, NULL);
    settle_claim(house, table);
}

void message_claim_answer(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    struct table_claim *claim = &table->claim;
    const json_t *accepts = json_object_get(request->body, "accept");
    if (!json_is_boolean(accepts)) {
        answer_no(request, "bad", _("Say whether you accept the claim: true or false."));
        return;
    }
    if (claim->count == 0 || (claim->asked >> request->seat & 1) == 0) {
        answer_no(request, "stale", _("There is no claim to answer any more: the game goes on."));
        return;
    }
    answer_ok(request, NULL);
    claim->asked = (uint8_t)(claim->asked & ~(1U << request->seat));
    if (json_is_true(accepts)) {
        settle_claim(house, table);
        return;
    }
    claim->is_refused = true;
    claim->refused_step = table->move_count;
    table->claim.count = 0;
    chat_announce_at_table(
        house, table,
        say(_("%s plays on: the claim does not stand."), table->row.seats[request->seat].name));
}

const struct table_timer claim_timer = {claim_due_ms, play_out_claim};
