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
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* The settings of a table, as read from a message. */
struct table_setup {
    const struct game_def *game;
    struct game_config config;
    struct clock_rule clock;
    struct watch_rule watch;
    struct eligibility fit;
    enum pace pace;
    const struct table *table; /* the table that gets the settings; NULL: a new table */
};

/* True when a guest opens the new table (`table` is NULL), or a guest sits at `table`. */
static bool guest_opens_or_sits_at_table(const struct conn *conn, const struct table *table)
{
    return table == NULL ? conn->person->kind == PERSON_GUEST
                         : table_seats_held_by(table, STORAGE_SEAT_GUEST) != 0;
}

/* Reads `clock`, or only `clock_s`. When the clock is invalid or does not suit the
 * guests at the table, answers the request and returns false. */
static bool read_clock(const struct request *request, struct table_setup *setup)
{
    const json_t *body = request->body;
    const json_t *clock = json_object_get(body, "clock");
    struct clock_rule rule = setup->clock;
    int64_t clock_s = 0;
    bool is_good = true;
    if (clock != NULL) {
        is_good = clock_rule_from_json(clock, &rule);
    } else if (!json_read_key_is_absent(body, "clock_s")) {
        is_good = json_read_number(body, "clock_s", 0, CLOCK_LONGEST_S, &clock_s);
        rule = clock_rule_from_seconds((uint32_t)clock_s);
    }
    if (!is_good || !clock_rule_is_valid(&rule)) {
        return answer_no(
            request, "clock",
            _("There is no such clock: choose none, a move's time (30s), a bank with an "
              "increment (10m+5s), or days for each move (2d)."));
    }
    if (!clock_rule_is_for_one_sitting(&rule) &&
        guest_opens_or_sits_at_table(request->conn, setup->table)) {
        return answer_no(
            request, "guest",
            _("Guests cannot come back on another day: turn-by-turn games are for people "
              "with accounts."));
    }
    setup->clock = rule;
    return true;
}

/* Reads `pace`. When it is not a pace, answers the request and returns false. */
static bool read_pace(const struct request *request, struct table_setup *setup)
{
    if (json_read_key_is_absent(request->body, "pace") ||
        pace_from_word(json_read_text(request->body, "pace", STORAGE_WORD_SIZE - 1),
                       &setup->pace)) {
        return true;
    }
    return answer_no(request, "bad",
                     _("A table's pace is quick, normal or slow: choose one of them."));
}

/* Reads the settings in the message. When one of them is wrong, answers the request and returns
 * false. */
static bool read_settings(const struct request *request, struct table_setup *setup)
{
    const json_t *body = request->body;
    const struct game_def *game = setup->game;
    int64_t players = setup->config.players;
    if (!json_read_key_is_absent(body, "players") &&
        !json_read_number(body, "players", game->seats_min, game->seats_max, &players)) {
        return answer_no(request, "players",
                         _("%s is for %d to %d players: choose a number in that range."),
                         _(game->title), game->seats_min, game->seats_max);
    }
    setup->config.players = (uint8_t)players;
    const json_t *watch = json_object_get(body, "watch");
    if (watch != NULL && !watch_rule_from_json(watch, &setup->watch)) {
        return answer_no(
            request, "watch",
            _("There is no such rule for watching: choose public, delay, friends or none, "
              "and for what watchers say: all, apart or off."));
    }
    const json_t *fit = json_object_get(body, "fit");
    if (fit != NULL && !eligibility_from_json(fit, &setup->fit)) {
        return answer_no(
            request, "fit", "%s",
            _("A table can ask for a rating from 1 to 9999 and up to 100% of games finished, "
              "as in: rating 1400-1700 finished 80%"));
    }
    const json_t *options = json_object_get(body, "options");
    if ((options != NULL && !config_from_json(game, options, &setup->config)) ||
        game_config_check(game, &setup->config) != GAME_OK) {
        return answer_no(request, "options",
                         _("The game has no such options: choose among those it offers."));
    }
    return read_pace(request, setup) && read_clock(request, setup);
}

/* Hashes a table's password with its salt. A fast hash is enough: the password protects one
 * evening's game. */
static void hash_password(const char *password, const uint8_t salt[crypto_generichash_KEYBYTES],
                          char hash[STORAGE_HASH_SIZE])
{
    uint8_t digest[crypto_generichash_BYTES];
    (void)crypto_generichash(digest, sizeof(digest), (const uint8_t *)password, strlen(password),
                             salt, crypto_generichash_KEYBYTES);
    struct text text = text_init(hash, STORAGE_HASH_SIZE);
    text_put_hex(&text, salt, crypto_generichash_KEYBYTES / 2);
    text_put_hex(&text, digest, sizeof(digest) / 2);
    sodium_memzero(digest, sizeof(digest));
}

#define SALT_BYTES (crypto_generichash_KEYBYTES / 2)

/* Hashes the new password; NULL removes the password. When the password is not acceptable, answers
 * the request and returns false. */
static bool read_new_password(const struct request *request, const json_t *password,
                              char hash[STORAGE_HASH_SIZE])
{
    hash[0] = '\0';
    if (password == NULL || json_is_null(password)) {
        return true;
    }
    char text[LIMIT_TABLE_PASSWORD_MAX + 1];
    if (!password_compose(json_string_value(password), text, sizeof(text)) || text[0] == '\0') {
        return answer_no(request, "password_bad",
                         _("A table's password has 1 to 64 bytes: choose another."));
    }
    uint8_t salt[crypto_generichash_KEYBYTES] = {0};
    request->house->config.random(request->house->config.random_context, salt, SALT_BYTES);
    hash_password(text, salt, hash);
    return true;
}

/* True when `password` opens this locked table; NULL opens none. */
static bool password_opens_table(const struct table *table, const char *password)
{
    const char *hash = table->row.password_hash;
    uint8_t salt[crypto_generichash_KEYBYTES] = {0};
    size_t len = 0;
    char computed[STORAGE_HASH_SIZE];
    if (password == NULL ||
        sodium_hex2bin(salt, SALT_BYTES, hash, 2 * (size_t)SALT_BYTES, NULL, &len, NULL) != 0) {
        return false;
    }
    hash_password(password, salt, computed);
    return strlen(hash) == strlen(computed) && sodium_memcmp(hash, computed, strlen(hash)) == 0;
}

static bool host_is_at_table(const struct table *table, const struct person *person)
{
    return table_seat_of(table, person) >= 0 || table_is_entered_by(table, person);
}

/* Closes the host's table that has been empty longest, to make room for a new one. */
static bool close_longest_empty_table(struct house *house, const struct person *person)
{
    struct table *oldest = NULL;
    TABLES_EACH(table, house) {
        bool is_left = strcmp(table->row.host_name, person->name) == 0 &&
                       table->empty_since_ms != 0 && !table_is_playing(table) &&
                       table_seat_of(table, person) < 0;
        if (is_left && (oldest == NULL || table->empty_since_ms < oldest->empty_since_ms)) {
            oldest = table;
        }
    }
    if (oldest != NULL) {
        table_close(house, oldest);
    }
    return oldest != NULL;
}

/* One place in so many is kept for people who have no table. */
#define RESERVED_PART 10

/* How many tables are open of one person, and from one source. */
struct open_tables {
    uint32_t own, entered, from_source;
};

static struct open_tables count_open_tables(const struct house *house, const struct person *person,
                                            const char *source)
{
    struct open_tables count = {0};
    TABLES_EACH(table, house) {
        bool is_own = strcmp(table->row.host_name, person->name) == 0 ||
                      strcmp(table->opened_by, person->name) == 0;
        count.own += is_own;
        count.entered += is_own && host_is_at_table(table, person);
        count.from_source += source[0] != '\0' && strcmp(table->opened_from, source) == 0;
    }
    return count;
}

/* Writes the source to which tables are counted; "": to none. */
static void write_counted_source(const struct house *house, const struct conn *conn,
                                 char source[STORAGE_ADDRESS_SIZE])
{
    source_write_from_address(conn->address, source);
    if (source_is_local(source) && !house->config.door_limit_loopback) {
        source[0] = '\0';
    }
}

/* True when the requester may open one more table; otherwise the request is refused. May close a
 * table that the requester has left, to make room. */
static bool requester_may_open_table(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const struct house_config *config = &house->config;
    uint32_t most = conn->person->kind == PERSON_BOT ? config->limits_tables_each_bot
                                                     : config->limits_tables_each;
    char source[STORAGE_ADDRESS_SIZE];
    write_counted_source(house, conn, source);
    struct open_tables count = count_open_tables(house, conn->person, source);
    if (count.own >= most && count.entered < most &&
        close_longest_empty_table(house, conn->person)) {
        count.own--;
    }
    if (count.own >= most) {
        return answer_no(
            request, "too_many",
            _("%u tables of yours are open, which is the limit: leave one, or wait until one is "
              "over."),
            count.own);
    }
    if (count.from_source >= config->limits_tables_each_source) {
        return answer_no(
            request, "too_many",
            _("%u tables from your address are open, which is the limit: join one, or wait "
              "until one is free."),
            count.from_source);
    }
    /* the last places are for people who have none */
    uint32_t reserve = count.own > 0 ? config->limits_tables / RESERVED_PART : 0;
    if (index_count(&tables_of(house)->by_id) + reserve >= config->limits_tables) {
        return answer_no(
            request, "too_many",
            _("Every table of the house is taken: join one, or wait until one is free."));
    }
    return true;
}

static json_t *make_opened_table_sentence(const struct table *table)
{
    char clock[CLOCK_RULE_SIZE];
    struct text text = text_init(clock, sizeof(clock));
    struct clock_rule rule = table_clock_rule(table);
    clock_rule_write(&rule, &text);
    if (rule.kind == CLOCK_NONE) {
        return say(_("%s opened %p, %d seats, no clock"), table->row.host_name, table_title(table),
                   table->row.players);
    }
    if (clock_rule_has_time_bank(&rule)) {
        return say(_("%s opened %p, %d seats, %s each"), table->row.host_name, table_title(table),
                   table->row.players, clock);
    }
    return say(_("%s opened %p, %d seats, %s a move"), table->row.host_name, table_title(table),
               table->row.players, clock);
}

static void announce_new_table(struct house *house, const struct table *table)
{
    struct eligibility fit = table_eligibility_rule(table);
    json_t *opened = make_opened_table_sentence(table);
    if (!eligibility_has_conditions(&fit)) {
        table_news_tell(house, TABLE_NEWS_OPENED, opened);
        return;
    }
    PARTS_CALL(tell_now, house);
    table_eligibility_announce_to_admitted(
        house, table,
        say(_("%p: /sit %lld"), say_sentence_argument(opened), (long long)table->row.id));
}

static void copy_settings_to_row(const struct table_setup *setup, struct storage_table *row)
{
    row->players = setup->config.players;
    row->clock_kind = (uint8_t)setup->clock.kind;
    row->clock_s = setup->clock.time_s;
    row->clock_increment_s = setup->clock.increment_s;
    row->watch_policy = (uint8_t)setup->watch.policy;
    row->watch_moves = setup->watch.moves;
    row->watch_talk = (uint8_t)setup->watch.talk;
    row->rating_min = setup->fit.rating_min;
    row->rating_max = setup->fit.rating_max;
    row->finished_min = setup->fit.finished_min;
    row->pace = (uint8_t)setup->pace;
}

/* Stores a new table with the requester as host, and loads it. `row` has the table's clock and
 * rules; the function fills in the rest of it. NULL when the table cannot be stored. */
static struct table *store_new_table(const struct request *request, const struct game_def *game,
                                     const struct game_config *config, struct storage_table *row)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    (void)snprintf(row->game, sizeof(row->game), "%s", game->id);
    row->players = config->players;
    struct text options = text_init(row->options, sizeof(row->options));
    game_config_write(game, config, &options);
    (void)snprintf(row->host_name, sizeof(row->host_name), "%s", conn->person->name);
    row->host = conn->person->account;
    row->created_ms = house->now_ms;
    row->conn = conn->id;
    row->request = request->id;
    stored_or_fail(house, storage_table_add(house->storage, row, &row->id));
    struct table *table = table_load(house, row);
    if (table != NULL) {
        (void)snprintf(table->opened_by, sizeof(table->opened_by), "%s", conn->person->name);
        write_counted_source(house, conn, table->opened_from);
    }
    return table;
}

/* Returns the game that the request names. If the house does not have it, answers the request and
 * returns NULL. */
static const struct game_def *read_game(const struct request *request)
{
    const char *id = json_read_text(request->body, "game", STORAGE_WORD_SIZE - 1);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    if (game == NULL) {
        answer_no(request, "game", _("This house does not have that game: choose one of its own."));
    }
    return game;
}

void message_table_open(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct table_setup setup = {.game = read_game(request)};
    struct storage_table row = {.state = STORAGE_TABLE_OPEN};
    if (setup.game == NULL || !disabled_allows_request(request, setup.game->id)) {
        return;
    }
    setup.config = game_config_default(setup.game, setup.game->seats_min);
    if (!read_settings(request, &setup) ||
        !read_new_password(request, json_object_get(request->body, "password"),
                           row.password_hash) ||
        !requester_may_open_table(request) || !request_is_within_rate_limit(request)) {
        return;
    }
    copy_settings_to_row(&setup, &row);
    struct table *table = store_new_table(request, setup.game, &setup.config, &row);
    if (table != NULL) {
        table_enter(house, conn, table);
        table_take_seat(house, table, 0, conn->person);
        if (voice_person_may_talk(house, conn->person, MUTE_LOBBY)) {
            announce_new_table(house, table);
        }
    }
    answer_ok(request, json_pack("{s:I}", "table", (json_int_t)row.id));
}

void message_table_set(const struct request *request)
{
    struct table *table = request->table;
    struct table_setup setup = {
        .game = table->game,
        .config = table->config,
        .clock = table_clock_rule(table),
        .watch = table_watch_rule(table),
        .fit = table_eligibility_rule(table),
        .pace = (enum pace)table->row.pace,
        .table = table,
    };
    if (!read_settings(request, &setup)) {
        return;
    }
    unsigned free_seats = table_seats_held_by(table, STORAGE_SEAT_EMPTY);
    if ((~free_seats & ((1U << table->row.players) - 1)) >> setup.config.players != 0) {
        answer_no(request, "seated",
                  _("Somebody sits on a seat that would be removed: free the last seats first."));
        return;
    }
    table->config = setup.config;
    struct text options = text_init(table->row.options, sizeof(table->row.options));
    game_config_write(table->game, &table->config, &options);
    copy_settings_to_row(&setup, &table->row);
    table->row.rematch = 0;
    table_game_reopen_table(table);
    answer_ok(request, NULL);
}

void message_table_pace(const struct request *request)
{
    struct table *table = request->table;
    struct table_setup setup = {.pace = (enum pace)table->row.pace};
    if (!read_pace(request, &setup)) {
        return;
    }
    if (table->row.pace == setup.pace) {
        answer_ok(request, NULL);
    } else if (request_is_within_rate_limit(request)) {
        table->row.pace = (uint8_t)setup.pace;
        chat_announce_at_table(request->house, table,
                               say(_("%s set the pace of the table: %p."),
                                   request->conn->person->name,
                                   say_word_argument(row_word_of_value(&pace_words, setup.pace))));
        answer_ok(request, NULL);
    }
}

/* Records in the audit log that the host set or removed the password, but never the password. */
static void audit_password_change(struct house *house, const struct conn *conn,
                                  const struct table *table)
{
    const struct storage_audit row = {
        .verb = "lock",
        .arguments = table->row.password_hash[0] == '\0' ? "off" : "on",
        .target_type = "table",
        .target_id = table->row.id,
        .table_id = table->row.id,
        .result = "ok",
    };
    audit_write_action(house, conn, audit_interface_name(conn), row);
}

/* True when `password` is already the table's password. If `password` is NULL: true when the table
 * has no password. */
static bool table_has_password(const struct table *table, const char *password)
{
    bool is_locked = table->row.password_hash[0] != '\0';
    return password == NULL ? !is_locked : is_locked && password_opens_table(table, password);
}

void message_table_lock(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    char hash[STORAGE_HASH_SIZE];
    if (!read_new_password(request, json_object_get(request->body, "password"), hash)) {
        return;
    }
    if (table_has_password(table, json_string_value(json_object_get(request->body, "password")))) {
        answer_ok(request, NULL);
        return;
    }
    if (!request_is_within_rate_limit(request) || !audit_limit_allows_request(request)) {
        return;
    }
    (void)snprintf(table->row.password_hash, sizeof(table->row.password_hash), "%s", hash);
    audit_password_change(house, request->conn, table);
    answer_ok(request, NULL);
}

/* Sends everybody at the table back to the lobby and says why; seated players who are elsewhere are
 * told too. */
static void tell_people_of_closing(struct house *house, const struct table *table, json_t *why)
{
    LINKED_CONNS_EACH(conn, &table->conns) {
        conn_notify_removed_from_table(house, conn, table->row.id, json_incref(why));
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        if (person != NULL && !table_is_entered_by(table, person)) {
            person_send_notice(house, person, "warn", json_incref(why));
        }
    }
    json_decref(why);
}

void message_table_close(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    if (table->row.state != STORAGE_TABLE_OPEN) {
        answer_no(request, "started",
                  _("A game was played here: the table closes by itself once all have left."));
        return;
    }
    const struct storage_audit row = {
        .verb = "close",
        .target_type = "table",
        .target_id = table->row.id,
        .table_id = table->row.id,
        .result = "ok",
    };
    audit_write_action(house, request->conn, audit_interface_name(request->conn), row);
    answer_ok(request, NULL);
    tell_people_of_closing(
        house, table, say(_("%s has closed %p."), request->conn->person->name, table_title(table)));
    table_close(house, table);
}

void message_table_start(const struct request *request)
{
    struct table *table = request->table;
    int taken = table_count_taken_seats(table);
    if (taken < table->row.players) {
        answer_no(request, "seats",
                  _("%d of %d seats are still empty: wait for people, or add bots."),
                  table->row.players - taken, table->row.players);
        return;
    }
    if (!disabled_allows_new_game(request, table->game->id) ||
        !request_players_are_ready(request)) {
        return;
    }
    table_game_begin(request->house, table);
    answer_ok(request, NULL);
}

/* True when the game begins as soon as the last free seat is taken, because the host of a
 * turn-by-turn table is away. */
static bool taking_last_seat_begins_game(struct house *house, const struct table *table)
{
    const struct person *host = person_find(house, table->row.host_name);
    bool is_host_here = host != NULL && table_is_entered_by(table, host);
    return table_is_turn_by_turn(table) && table->row.state == STORAGE_TABLE_OPEN &&
           !is_host_here && table_seats_of_people(table) != 0 &&
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

/* Returns the level whose policy has this name; BOT_LEVEL_NONE for any other text. */
static enum bot_level bot_level_from_policy(const char *policy)
{
    size_t level = row_value_of_word(&bot_level_words, policy);
    return level < bot_level_words.count ? (enum bot_level)level : BOT_LEVEL_NONE;
}

/* a person who has finished fewer games is a newcomer */
#define NEWCOMER_GAMES 5

static bool count_game(void *context, UNUSED const struct storage_past_game *played)
{
    unsigned *count = context;
    (*count)++;
    return true;
}

/* Returns the level of the bots that a person gets who does not ask for one: easy for a newcomer,
 * who is a guest or has finished fewer than five games; otherwise medium. */
static enum bot_level bot_level_for_person(struct house *house, const struct person *person)
{
    unsigned games = 0;
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_past_games_by_account(house->storage, person->account, INT64_MAX,
                                                     NEWCOMER_GAMES, count_game, &games));
    }
    return games < NEWCOMER_GAMES ? BOT_LEVEL_EASY : BOT_LEVEL_MEDIUM;
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

/* Writes the key under which the delay of the next guess is stored, either of the requester's
 * account or of their source address. */
static void write_guess_delay_key(const struct conn *conn, const struct table *table,
                                  bool is_of_account, char delay_key[DELAY_KEY_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    if (is_of_account) {
        (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " account %" PRId64,
                       table->row.id, conn->person->account);
    } else {
        source_write_from_address(conn->address, source);
        (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " source %s", table->row.id,
                       source);
    }
}

static void refuse_wrong_password(const struct request *request, const struct table *table)
{
    struct house *house = request->house;
    const struct conn *conn = request->conn;
    char source_key[DELAY_KEY_SIZE], account_key[DELAY_KEY_SIZE];
    bool has_account = conn->person->account != 0;
    write_guess_delay_key(conn, table, false, source_key);
    write_guess_delay_key(conn, table, true, account_key);
    if (has_account) {
        backoff_count_failure(house, account_key);
    }
    backoff_count_failure(house, source_key);
    answer_no(request, "locked",
              _("That is not the table's password: ask its host. You may try again in %d s."),
              (int)backoff_get_wait_s(house, has_account ? account_key : source_key));
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
    write_guess_delay_key(request->conn, table, request->conn->person->account != 0, delay_key);
    int64_t wait_s = backoff_get_wait_s(request->house, delay_key);
    if (wait_s > 0) {
        return answer_retry_later(
            request, wait_s,
            _("You have to wait after a wrong password for that table: try again in %d s."),
            (int)wait_s);
    }
    if (!password_opens_table(table, password)) {
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
    const struct game_def *game = read_game(request);
    if (game == NULL) {
        return NULL;
    }
    bool is_allowed = disabled_allows_request(request, "table_open") &&
                      disabled_allows_request(request, game->id) &&
                      disabled_allows_new_game(request, game->id) &&
                      requester_may_open_table(request) && request_is_within_rate_limit(request);
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
    return store_new_table(request, game, config, &row);
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
    rated_game_fill_players(&forecast->game, false, forecast->players);
    for (size_t i = 0; i < forecast->game.count; i++) {
        if (forecast->game.changes[i].account == requester_account) {
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
    if (table_seats_held_by(table, STORAGE_SEAT_EMPTY) == 0) {
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
