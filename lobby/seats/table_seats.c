#include "lobby/seats/seats.h"

#include "games/history.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* True when the game begins as soon as the last free seat is taken, because the host of a
 * turn-by-turn table is away. */
static bool taking_last_seat_begins_game(struct house *house, const struct table *table)
{
    const struct person *host = person_find(house, table->row.host_name);
    bool is_host_here = host != NULL && table_is_entered_by(table, host);
    return table_is_turn_by_turn(table) && table->row.state == STORAGE_TABLE_OPEN &&
           !is_host_here && table_count_seated_people(table) > 0 &&
           table_count_taken_seats(table) + 1 == table->row.players;
}

/* True when the requester has no seat at the table yet. */
bool need_no_seat(struct request *request)
{
    if (table_seat_of(request->table, request->conn->person) < 0) {
        return true;
    }
    return answer_no(request, "seated", _("You sit here already: stand up first to change seats."));
}

/* True when the requester can return on another day, as a turn-by-turn game requires. */
bool need_can_return(struct request *request)
{
    struct clock_rule rule = table_clock_rule(request->table);
    if (request->conn->person->kind != PERSON_GUEST || clock_rule_is_for_one_sitting(&rule)) {
        return true;
    }
    return answer_no(
        request, "guest",
        _("This game is played over days, and a guest cannot come back: make an account "
          "to sit here."));
}

bool need_eligibility(struct request *request)
{
    json_t *why = NULL;
    if (table_eligibility_admits(request->house, request->table, request->conn->person, &why)) {
        return true;
    }
    return answer_no_with_sentence(request, "fit", why);
}

bool need_no_block(struct request *request)
{
    if (!blocks_exist_with_someone_at_table(request->conn->person, &request->table->row)) {
        return true;
    }
    return answer_no(request, "full", "%s", BLOCKS_REFUSAL);
}

void message_seat_take(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    bool is_beginning = taking_last_seat_begins_game(house, table);
    if (is_beginning && !disabled_allows_new_game(request, table->game->id)) {
        return;
    }
    table_take_seat(house, table, request->seat, request->conn->person);
    answer_ok(request, NULL);
    if (is_beginning) {
        table_game_begin(house, table);
    }
}

void message_seat_leave(const struct request *request)
{
    struct table *table = request->table;
    int seat = table_seat_of(table, request->conn->person);
    if (seat < 0) {
        answer_no(request, "not_seated", _("You have no seat here: take one, or go on watching."));
    } else if (!table_is_playing(table)) {
        table_vacate_seat(request->house, table, seat);
        answer_ok(request, NULL);
    } else if (!json_read_bool(request->body, "for_good", false)) {
        answer_no(
            request, "started",
            _("A game is on: if you leave for good, a bot takes your seat and the game counts as "
              "one that you left. Confirm that you leave for good, or just go back to the lobby."));
    } else {
        table_game_leave_for_good(request->house, table, seat);
        answer_ok(request, NULL);
    }
}

void table_kick_from_seat(struct house *house, struct table *table, int seat, const char *kicked_by)
{
    const struct person *person = table_connected_holder(house, table, seat);
    table_vacate_seat(house, table, seat);
    if (person != NULL) {
        person_send_notice(
            house, person, "warn",
            say(_("%s freed your seat at %p: find another table."), kicked_by, table_title(table)));
    }
}

void message_bot_add(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    int seat = request->seat;
    const char *policy = json_read_text(request->body, "policy", STORAGE_WORD_SIZE - 1);
    enum bot_level level = policy != NULL ? bot_level_from_policy(policy)
                           : json_read_key_is_absent(request->body, "policy")
                               ? bot_level_for_person(house, request->conn->person)
                               : BOT_LEVEL_NONE;
    if (level == BOT_LEVEL_NONE) {
        answer_no(request, "policy", _("There is no such bot: choose easy, medium or strong."));
        return;
    }
    if (!bot_seat_fill(house, table, seat, level)) {
        answer_no(request, "policy",
                  _("All bots of that level sit here already: choose another level."));
        return;
    }
    chat_announce_at_table(house, table,
                           say(ARRIVAL_BOT_SAT_DOWN, table->row.seats[seat].name,
                               say_word_argument(row_word_of_value(&bot_level_words, level))));
    table_mark_changed(house, table);
    answer_ok(request, NULL);
}

void message_bot_remove(const struct request *request)
{
    if (request->table->row.seats[request->seat].holder != STORAGE_SEAT_BOT) {
        answer_no(request, "bad_seat", _("No bot sits there: choose a bot's seat."));
        return;
    }
    table_vacate_seat(request->house, request->table, request->seat);
    answer_ok(request, NULL);
}

/* A wrong table password delays the next guess, both for the same account and from the same source
 * address. Each delay is stored under a text key. No such key equals a name whose sign-in is
 * delayed (sanctions/sanctions.h), because no name contains a blank. A person who has guessed with
 * an account and returns as a guest still has to wait. */
#define DELAY_KEY_SIZE 96

static void write_guess_delay_key_of_account(const struct conn *conn, const struct table *table,
                                             char delay_key[DELAY_KEY_SIZE])
{
    (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " account %" PRId64, table->row.id,
                   conn->person->account);
}

static void write_guess_delay_key_of_source(const struct conn *conn, const struct table *table,
                                            char delay_key[DELAY_KEY_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(conn->address, source);
    (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " source %s", table->row.id, source);
}

/* Writes the key under which the delay of the requester's next guess is stored: the key of the
 * account or, for a guest, of the source address. */
static void write_guess_delay_key(const struct conn *conn, const struct table *table,
                                  char delay_key[DELAY_KEY_SIZE])
{
    if (conn->person->account != 0) {
        write_guess_delay_key_of_account(conn, table, delay_key);
    } else {
        write_guess_delay_key_of_source(conn, table, delay_key);
    }
}

static void refuse_wrong_password(const struct request *request, const struct table *table)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char delay_key[DELAY_KEY_SIZE];
    if (conn->person->account != 0) {
        write_guess_delay_key_of_account(conn, table, delay_key);
        backoff_count_failure(house, delay_key);
    }
    write_guess_delay_key_of_source(conn, table, delay_key);
    backoff_count_failure(house, delay_key);
    write_guess_delay_key(conn, table, delay_key);
    answer_no(request, "locked",
              _("That is not the table's password: ask its host. You may try again in %d s."),
              (int)backoff_get_wait_s(house, delay_key));
}

/* True when the password opens the table; otherwise the request is refused. During a delay the
 * right password is refused like a wrong one, so that the answer reveals nothing. */
static bool password_is_right(const struct request *request, const struct table *table,
                              const char *password)
{
    char delay_key[DELAY_KEY_SIZE];
    if (password == NULL) {
        return answer_no(request, "locked",
                         _("That table is locked: ask its host for the password."));
    }
    write_guess_delay_key(request->conn, table, delay_key);
    int64_t wait_s = backoff_get_wait_s(request->house, delay_key);
    if (wait_s > 0) {
        return answer_retry_later(
            request, wait_s,
            _("You have to wait after a wrong password for that table: try again in %d s."),
            (int)wait_s);
    }
    if (!table_setup_password_opens(table, password)) {
        refuse_wrong_password(request, table);
        return false;
    }
    backoff_reset(request->house, delay_key);
    return true;
}

/* True when this person may enter the table; otherwise the request is refused. */
static bool requester_may_enter(const struct request *request, const struct table *table,
                                const char *password)
{
    struct conn *conn = request->conn;
    return table->row.password_hash[0] == '\0' || table == conn_table(conn) ||
           table_seat_of(table, conn->person) >= 0 ||
           strcmp(table->row.host_name, conn->person->name) == 0 ||
           invites_person_is_invited(request->house, conn->person, table) ||
           password_is_right(request, table, password);
}

void message_table_enter(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct table *table = request_find_named_table(request);
    if (table == NULL) {
        answer_no(request, "unknown", _("That table is closed: choose one from the list."));
        return;
    }
    char password[LIMIT_TABLE_PASSWORD_MAX + 1];
    bool has_password = password_read(request->body, "password", password, sizeof(password));
    bool is_there = conn_table(conn) == table && conn_is_observing(conn);
    if (table_seat_of(table, conn->person) < 0 && !is_there &&
        !table_watch_allows(house, table, conn->person)) {
        answer_no(request, "watch",
                  table->row.watch_policy == WATCH_FRIENDS
                      ? _("That game is for its players and their friends to see: choose another.")
                      : _("That game is for its players alone to see: choose another."));
        return;
    }
    if (requester_may_enter(request, table, has_password ? password : NULL)) {
        table_enter(house, conn, table);
        answer_ok(request, NULL);
        chat_send_table_backlog(house, conn);
    }
}

void message_table_leave(const struct request *request)
{
    table_exit(request->house, request->conn, true);
    conn_save(request->house, request->conn);
    answer_ok(request, NULL);
}

/* Games against bots that begin at once: a table without a clock, every other seat taken by a bot,
 * in the game's short form. */

/* Returns the game that the request names. When the request is refused, answers it and returns
 * NULL. */
static const struct game_def *find_requested_game(const struct request *request)
{
    const char *id = json_read_text(request->body, "game", STORAGE_WORD_SIZE - 1);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    if (game == NULL) {
        answer_no(request, "game", _("This house does not have that game: choose one of its own."));
        return NULL;
    }
    bool is_allowed =
        disabled_allows_request(request, "table_open") &&
        disabled_allows_request(request, game->id) && disabled_allows_new_game(request, game->id) &&
        table_setup_requester_may_open(request) && request_is_within_rate_limit(request);
    return is_allowed ? game : NULL;
}

/* Returns the seat to the left of the first leader, so that a bot acts and leads first. Everybody
 * may know who leads first: it tells nothing about the cards. */
static int choose_seat_behind_first_leader(const struct table *table)
{
    struct game_state state;
    if (game_start(table->game, &table->config, table->seed, &state, NULL) != GAME_OK) {
        return 0;
    }
    return (game_first_leader(&state) + 1) % table->row.players;
}

/* Seats the requester and gives all other seats to bots that suit the requester. */
static void fill_seats(const struct request *request, struct table *table, int own)
{
    struct house *house = request->house;
    enum bot_level level = bot_level_for_person(house, request->conn->person);
    table_enter(house, request->conn, table);
    table_take_seat(house, table, own, request->conn->person);
    for (int seat = 0; seat < table->row.players; seat++) {
        /* In an old house, people may have the names of easy bots. Medium bots are always there. */
        if (seat != own && !bot_seat_fill(house, table, seat, level) &&
            !bot_seat_fill(house, table, seat, BOT_LEVEL_MEDIUM)) {
            return;
        }
    }
}

/* Stores the table of a game against bots. */
static struct table *open_table(const struct request *request, const struct game_def *game,
                                const struct game_config *config, enum watch_policy watch,
                                enum pace pace)
{
    struct storage_table row = {
        .state = STORAGE_TABLE_OPEN, .watch_policy = (uint8_t)watch, .pace = (uint8_t)pace};
    return table_setup_store_new(request, game, config, &row);
}

static void answer_with_table(const struct request *request, const struct table *table)
{
    answer_ok(request, json_pack("{s:I}", "table",
                                 table == NULL ? (json_int_t)0 : (json_int_t)table->row.id));
}

void message_quick(const struct request *request)
{
    struct house *house = request->house;
    const struct game_def *game = find_requested_game(request);
    if (game == NULL) {
        return;
    }
    struct game_config config = game_config_short(game);
    struct table *table = open_table(request, game, &config, WATCH_PUBLIC, PACE_NORMAL);
    if (table != NULL) {
        table_game_draw_seed(house, table);
        fill_seats(request, table, choose_seat_behind_first_leader(table));
        table_game_begin_from_seed(house, table);
    }
    answer_with_table(request, table);
}

void message_learn(const struct request *request)
{
    const struct game_def *game = find_requested_game(request);
    if (game == NULL) {
        return;
    }
    const struct game_lesson *lesson = game->face->lesson;
    if (lesson == NULL) {
        answer_no(request, "game", _("There is no lesson in %s yet: try the rules."),
                  _(game->title));
        return;
    }
    struct game_config config = lesson_config(game);
    /* slow, since the player reads a sentence between two moves */
    struct table *table = open_table(request, game, &config, WATCH_NONE, PACE_SLOW);
    if (table != NULL) {
        /* The seed of a lesson is no secret: the deal is always the same, and nobody else plays. */
        memcpy(table->seed, lesson->seed, sizeof(table->seed));
        fill_seats(request, table, lesson->seat);
        table_game_begin_from_seed(request->house, table);
    }
    answer_with_table(request, table);
}

/* The players for whom a game is rated: those who began the current game, or those seated now. */
struct forecast {
    struct rated_game game;
    struct rating_player players[SEATS_MAX];
    size_t own; /* the requester's index in `players` */
};

/* Returns false if the requester is not among the players. */
static bool read_forecast(struct house *house, const struct table *table, int64_t requester_account,
                          struct forecast *forecast)
{
    bool is_rated = false;
    table_rating_read_players(house, table, &forecast->game);
    for (size_t i = 0; i < forecast->game.count; i++) {
        const struct storage_rating_change *change = &forecast->game.changes[i];
        forecast->players[i] = (struct rating_player){
            .before = {change->mu_before, change->sigma_before}, .is_bot = change->is_bot};
        if (change->account == requester_account) {
            forecast->own = i;
            is_rated = true;
        }
    }
    return is_rated;
}

/* Returns how much the game counts for the requester: the mean over the opponents. */
static double compute_weight_of_game(const struct forecast *forecast)
{
    size_t opponents =
        rating_count_opponents(forecast->players, forecast->game.count, forecast->own);
    double sum = 0.0;
    for (size_t i = 0; i < forecast->game.count; i++) {
        bool is_opponent = i != forecast->own && (forecast->players[forecast->own].is_bot ||
                                                  !forecast->players[i].is_bot);
        sum += is_opponent ? forecast->game.weights.of[forecast->own][i] : 0.0;
    }
    return opponents == 0 ? 0.0 : sum / (double)opponents;
}

static json_t *make_rating_change_by_place_json(const struct forecast *forecast, bool is_rated)
{
    const struct rating_model model = rating_model_default();
    size_t opponents =
        rating_count_opponents(forecast->players, forecast->game.count, forecast->own);
    json_t *places = json_array();
    for (size_t place = 1; opponents > 0 && place <= opponents + 1; place++) {
        double change = is_rated ? rating_change_in_points(rating_predict_change(
                                       &model, forecast->players, forecast->game.count,
                                       forecast->own, place, &forecast->game.weights))
                                 : 0.0;
        (void)json_array_append_new(places, json_pack("{s:i,s:f}", "place", (int)place, "change",
                                                      round(10.0 * change) / 10.0));
    }
    return places;
}

void message_assess(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct forecast forecast;
    struct table *table = request->table;
    if (conn->person->account == 0 ||
        !read_forecast(house, table, conn->person->account, &forecast)) {
        answer_no(request, "not_seated",
                  _("Ratings change for those with an account and a seat: take a seat first."));
        return;
    }
    bool is_rated = table_is_playing(table) ? table->is_rated : table_may_be_rated(house, table);
    double weight = is_rated ? compute_weight_of_game(&forecast) : 0.0;
    answer_ok(request, json_pack("{s:I,s:b,s:f,s:o}", "table", (json_int_t)table->row.id,
                                 "is_rated", is_rated, "weight", weight, "places",
                                 make_rating_change_by_place_json(&forecast, is_rated)));
}

/* Answers the request `why`: why a person cannot sit down at a table, and what would make it
 * possible. */

static bool table_is_locked_for(const struct house *house, const struct table *table,
                                const struct person *person)
{
    return table->row.password_hash[0] != '\0' &&
           !invites_person_is_invited(house, person, table) &&
           strcmp(table->row.host_name, person->name) != 0;
}

/* Returns the reason why the person cannot take a seat; NULL when they can. */
static json_t *explain_why_person_cannot_sit(struct house *house, const struct table *table,
                                             struct person *person)
{
    struct clock_rule rule = table_clock_rule(table);
    long long id = (long long)table->row.id;
    json_t *why = NULL;
    if (table_is_playing(table)) {
        return say(_("A game is on there: /watch %lld watches it; seats may be free once it is "
                     "over."),
                   id);
    }
    if (sanctions_person_state(person)->by_staff.suspend_ms > house->now_ms) {
        return say(_("You may not sit down for now: /sanctions says why and until when."));
    }
    if (table_first_free_seat(table) < 0) {
        return say(_("Every seat is taken: /watch %lld watches, /new opens a table of your "
                     "own."),
                   id);
    }
    if (person->kind == PERSON_GUEST && !clock_rule_is_for_one_sitting(&rule)) {
        return say(_("That game is played over days, and a guest cannot come back: make an "
                     "account to sit there."));
    }
    if (table_eligibility_admits(house, table, person, &why) &&
        table_is_locked_for(house, table, person)) {
        return say(_("The table is locked: ask %s for the password, or for an invitation."),
                   table->row.host_name);
    }
    return why;
}

void message_why(const struct request *request)
{
    const struct table *table = request_find_named_table(request);
    if (table == NULL) {
        answer_no(request, "unknown", _("There is no such table now: the lobby lists all tables."));
        return;
    }
    bool has_seat = table_seat_of(table, request->conn->person) >= 0;
    json_t *why = has_seat
                      ? NULL
                      : explain_why_person_cannot_sit(request->house, table, request->conn->person);
    json_t *fields = json_pack("{s:b}", "can_sit", why == NULL);
    if (why == NULL) {
        why = say(has_seat ? _("You have a seat there: /watch %lld goes to it.")
                           : _("You can sit there: /sit %lld sits down."),
                  (long long)table->row.id);
    }
    say_set_field(fields, "why", why);
    answer_ok(request, fields);
}
