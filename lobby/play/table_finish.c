#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <string.h>

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

void table_finish_game(struct house *house, struct table *table)
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
    TABLE_LISTENERS_CALL(game_over, house, table);
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
    invites_end_all_to_table(house, table);
    while (!TAILQ_EMPTY(&table->conns)) {
        struct conn *conn = TAILQ_FIRST(&table->conns)->conn;
        observing_end(house, conn, table);
        TAILQ_REMOVE(&table->conns, &table_conn_state(conn)->link, in_list);
        table_conn_state(conn)->table = NULL;
        person_mark_changed(house, conn->person);
        conn_save(house, conn);
    }
    tables_of(house)->rows_changed = true; /* the table's bots are listed at another one, or not */
    TABLE_LISTENERS_CALL(closed, house, table);
    table_free(house, table);
}
