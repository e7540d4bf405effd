#include "lobby/seats/seats.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"

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
    bool has_guests = table == NULL && conn->person->kind == PERSON_GUEST;
    for (int seat = 0; table != NULL && seat < table->row.players; seat++) {
        has_guests = has_guests || table->row.seats[seat].holder == STORAGE_SEAT_GUEST;
    }
    return has_guests;
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
        return answer_no(request, "clock", "%s", clock_types_invalid_clock_sentence());
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

bool table_setup_password_opens(const struct table *table, const char *password)
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

bool table_setup_requester_may_open(const struct request *request)
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

struct table *table_setup_store_new(const struct request *request, const struct game_def *game,
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

void message_table_open(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *id = json_read_text(request->body, "game", STORAGE_WORD_SIZE - 1);
    struct table_setup setup = {.game = id == NULL ? NULL : game_find(id)};
    struct storage_table row = {.state = STORAGE_TABLE_OPEN};
    if (setup.game == NULL) {
        answer_no(request, "game", _("This house does not have that game: choose one of its own."));
        return;
    }
    if (!disabled_allows_request(request, setup.game->id)) {
        return;
    }
    setup.config = game_config_default(setup.game, setup.game->seats_min);
    if (!read_settings(request, &setup) ||
        !read_new_password(request, json_object_get(request->body, "password"),
                           row.password_hash) ||
        !table_setup_requester_may_open(request) || !request_is_within_rate_limit(request)) {
        return;
    }
    copy_settings_to_row(&setup, &row);
    struct table *table = table_setup_store_new(request, setup.game, &setup.config, &row);
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
    for (int seat = setup.config.players; seat < table->row.players; seat++) {
        if (table->row.seats[seat].holder != STORAGE_SEAT_EMPTY) {
            answer_no(
                request, "seated",
                _("Somebody sits on a seat that would be removed: free the last seats first."));
            return;
        }
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
    };
    audit_write_message_action(house, conn, row);
}

/* True when `password` is already the table's password. If `password` is NULL: true when the table
 * has no password. */
static bool table_has_password(const struct table *table, const char *password)
{
    bool is_locked = table->row.password_hash[0] != '\0';
    return password == NULL ? !is_locked : is_locked && table_setup_password_opens(table, password);
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
    };
    audit_write_message_action(house, request->conn, row);
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
