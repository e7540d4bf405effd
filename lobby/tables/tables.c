#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "storage/archive/archive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table *table_find(struct house *house, int64_t id)
{
    return index_find(&tables_of(house)->by_id, &id, sizeof(id));
}

void table_check_storage_result(struct house *house, const struct table *table,
                                enum storage_result result)
{
    stored_or_fail_item(house, "table", table->row.id, result);
}

struct table *table_load(struct house *house, const struct storage_table *row)
{
    const struct game_def *game = game_find(row->game);
    if (game == NULL || row->players < game->seats_min || row->players > game->seats_max) {
        return NULL;
    }
    struct game_config config = game_config_default(game, row->players);
    json_t *options = json_loads(row->options, 0, NULL);
    bool is_good =
        config_from_json(game, options, &config) && game_config_check(game, &config) == GAME_OK;
    json_decref(options);
    if (!is_good) {
        return NULL;
    }
    struct table *table = memory_new(sizeof(*table));
    table->row = *row;
    table->stored = *row;
    table->game = game;
    table->config = config;
    table->sheet = json_array();
    table->empty_since_ms = house->now_ms;
    TAILQ_INIT(&table->conns);
    index_add(&tables_of(house)->by_id, &table->row.id, sizeof(table->row.id), table);
    table->is_changed = true;
    tables_of(house)->rows_changed = true;
    return table;
}

void table_save(struct house *house, struct table *table)
{
    enum storage_result result = storage_table_save(house->storage, &table->row, &table->stored);
    if (result == STORAGE_OK) {
        table->stored = table->row;
    }
    table_check_storage_result(house, table, result);
}

void table_free(struct house *house, struct table *table)
{
    index_remove(&tables_of(house)->by_id, &table->row.id, sizeof(table->row.id));
    json_decref(table->sheet);
    payload_release(table->result);
    free(table->moves);
    free(table->watch.made_ms);
    free(table->watch.told);
    free(table->lobby.text);
    free(table);
}

void table_touch(struct house *house, struct table *table)
{
    table->is_touched = true;
    tables_of(house)->has_touched = true;
}

void tables_touch_changed(struct house *house)
{
    TABLES_EACH(table, house) {
        if (!storage_table_is_same(&table->row, &table->stored)) {
            table_touch(house, table);
        }
    }
}

int table_seat_of(const struct table *table, const struct person *person)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (seat_has_person(holder) && strcmp(holder->name, person->name) == 0) {
            return seat;
        }
    }
    return -1;
}

unsigned table_seats_held_by(const struct table *table, enum storage_holder holder)
{
    unsigned seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        seats |= (unsigned)(table->row.seats[seat].holder == holder) << seat;
    }
    return seats;
}

unsigned table_seats_of_people(const struct table *table)
{
    return table_seats_held_by(table, STORAGE_SEAT_PLAYER) |
           table_seats_held_by(table, STORAGE_SEAT_GUEST);
}

unsigned table_seats_absent(const struct table *table)
{
    unsigned seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        seats |= (unsigned)table->row.seats[seat].is_absent << seat;
    }
    return seats;
}

unsigned table_seats_in_house(const struct house *house, const struct table *table)
{
    unsigned seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        seats |= (unsigned)(table_connected_holder(house, table, seat) != NULL) << seat;
    }
    return seats;
}

unsigned table_seats_entered(const struct house *house, const struct table *table)
{
    unsigned seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        seats |= (unsigned)(person != NULL && table_is_entered_by(table, person)) << seat;
    }
    return seats;
}

uint8_t table_seats_on_turn(const struct table *table)
{
    return table_is_playing(table) ? game_seats_to_act(&table->state) : 0;
}

bool table_waits_for_seat(const struct table *table, int seat)
{
    return table->row.halt == STORAGE_HALT_NONE && (table_seats_on_turn(table) >> seat & 1) != 0 &&
           !table->row.seats[seat].is_absent;
}

bool conn_sees_stop(const struct conn *conn)
{
    /* a connection that returns after a restart says so again in its next `hello` */
    return (conn->shows_stops || conn->awaits_hello) && conn->person->kind != PERSON_BOT;
}

static bool person_sees_stop_at_table(const struct table *table, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_table(conn) == table && conn_sees_stop(conn)) {
            return true;
        }
    }
    return false;
}

uint8_t table_seats_that_see_stop(const struct house *house, const struct table *table)
{
    uint8_t seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        bool sees = person != NULL && !table->row.seats[seat].is_absent &&
                    person_sees_stop_at_table(table, person);
        seats = (uint8_t)(seats | (unsigned)sees << seat);
    }
    return seats;
}

uint8_t table_seats_awaited_at_stop(const struct house *house, const struct table *table)
{
    uint8_t seats = table_seats_that_see_stop(house, table);
    if (table->is_unsettled) {
        seats = (uint8_t)(seats | table->row.awaited);
    }
    return (uint8_t)(seats & ~table->row.asks[STORAGE_ASK_RESUME]);
}

int table_count_taken_seats(const struct table *table)
{
    return table->row.players - __builtin_popcount(table_seats_held_by(table, STORAGE_SEAT_EMPTY));
}

bool table_is_entered_by(const struct table *table, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_table(conn) == table) {
            return true;
        }
    }
    return false;
}

bool conn_is_observing(const struct conn *conn)
{
    return table_conn_state(conn)->observes[0] != '\0';
}

const struct table *person_find_entered_table(const struct person *person)
{
    const struct table *table = NULL;
    LINKED_CONNS_EACH(conn, &person->conns) {
        table = conn_table(conn) != NULL && !conn_is_observing(conn) ? conn_table(conn) : table;
    }
    return table;
}

bool table_counts_conn_as_spectator(const struct table *table, const struct conn *conn)
{
    LINKED_CONNS_EACH(first, &conn->person->conns) {
        if (conn_table(first) == table) {
            return first == conn && !conn_is_observing(conn) &&
                   table_seat_of(table, conn->person) < 0;
        }
    }
    return false;
}

void table_notify_people(struct house *house, const struct table *table, json_t *sentence)
{
    PERSONS_EACH(person, house) {
        if (!table_is_entered_by(table, person) && table_seat_of(table, person) < 0) {
            continue;
        }
        person_send_notice(house, person, "warn", json_incref(sentence));
    }
    json_decref(sentence);
}

static int table_count_spectators(const struct table *table)
{
    int count = 0;
    LINKED_CONNS_EACH(conn, &table->conns) {
        count += table_counts_conn_as_spectator(table, conn);
    }
    return count;
}

struct person *seat_connected_holder(const struct house *house, const struct storage_seat *holder)
{
    struct person *person = seat_has_person(holder) ? person_find(house, holder->name) : NULL;
    return person_is_in_house(person) ? person : NULL;
}

struct person *table_connected_holder(const struct house *house, const struct table *table,
                                      int seat)
{
    return seat_connected_holder(house, &table->row.seats[seat]);
}

struct clock_rule table_clock_rule(const struct table *table)
{
    return (struct clock_rule){(enum clock_kind)table->row.clock_kind, table->row.clock_s,
                               table->row.clock_increment_s};
}

bool table_is_turn_by_turn(const struct table *table)
{
    struct clock_rule rule = table_clock_rule(table);
    return !clock_rule_is_for_one_sitting(&rule);
}

enum table_phase table_phase(const struct table *table)
{
    static_assert((int)TABLE_FINISHED == (int)STORAGE_TABLE_FINISHED &&
                      (int)STORAGE_TABLE_CLOSED == (int)TABLE_FINISHED + 1,
                  "a closed table is called finished, and has the only other state");
    return table->row.state == STORAGE_TABLE_CLOSED ? TABLE_FINISHED
                                                    : (enum table_phase)table->row.state;
}

bool table_is_playing(const struct table *table)
{
    return table->row.state == STORAGE_TABLE_PLAYING && table->has_game;
}

void *table_title(const struct table *table)
{
    return say_sentence_argument(
        say("#%lld %p", (long long)table->row.id, say_word_argument(table->game->title)));
}

int64_t tables_next_ms(const struct house *house, table_next_ms *next_ms)
{
    int64_t first_ms = INT64_MAX;
    TABLES_EACH(table, house) {
        int64_t table_ms = next_ms(house, table);
        first_ms = table_ms < first_ms ? table_ms : first_ms;
    }
    return first_ms;
}

int64_t table_timers_next_ms(const struct house *house, const struct table_timer *const *timers)
{
    int64_t first_ms = INT64_MAX;
    for (; *timers != NULL; timers++) {
        int64_t timer_ms = tables_next_ms(house, (*timers)->next_ms);
        first_ms = timer_ms < first_ms ? timer_ms : first_ms;
    }
    return first_ms;
}

static void run_timer(struct house *house, const struct table_timer *timer)
{
    TABLES_EACH(table, house) {
        if (timer->next_ms(house, table) <= house->now_ms) {
            const struct doing was = fault_blame_item(house, "table", table->row.id);
            table_touch(house, table);
            timer->run(house, table);
            house->doing = was;
        }
    }
}

void table_timers_run_due(struct house *house, const struct table_timer *const *timers)
{
    for (; *timers != NULL; timers++) {
        run_timer(house, *timers);
    }
}

bool last_sent_replace_if_changed(char **last_text, json_t *message)
{
    char *text = memory_check_allocated(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    if (*last_text != NULL && strcmp(*last_text, text) == 0) {
        free(text);
        return false;
    }
    free(*last_text);
    *last_text = text;
    return true;
}

void table_set_host(struct house *house, struct table *table, int64_t account, const char *name)
{
    table->row.host = account;
    (void)snprintf(table->row.host_name, sizeof(table->row.host_name), "%s", name);
    invites_resend_for_new_host(house, table);
}

void table_choose_new_host(struct house *house, struct table *table)
{
    unsigned people = table_seats_of_people(table);
    unsigned here = table_seats_entered(house, table);
    if (people == 0) {
        return; /* without a host, the next player who sits down becomes host (table_take_seat) */
    }
    int next = here != 0 ? seats_first(here) : 31 - __builtin_clz(people); /* the last seat */
    const struct storage_seat *holder = &table->row.seats[next];
    table_set_host(house, table, holder->account, holder->name);
    chat_announce_at_table(house, table, say(_("%s is the host now."), holder->name));
}

static_assert((int)HALT_PAUSE == (int)STORAGE_HALT_PAUSE &&
                  (int)HALT_ADJOURN == (int)STORAGE_HALT_ADJOURN &&
                  (int)HALT_HOUSE == (int)STORAGE_HALT_HOUSE &&
                  (int)HALT_ROUND == (int)STORAGE_HALT_ROUND,
              "HALT_x and STORAGE_HALT_x must be the same number");

/* Reads the number of the current round and how many rounds the game has, as spectators know them.
 * Both are 0 before the first game; *rounds is also 0 when the game's length is unknown. */
static void read_visible_rounds(const struct table *table, uint8_t *round, uint8_t *rounds)
{
    *round = 0;
    *rounds = 0;
    if (table->has_game) {
        struct game_view view;
        game_fill_view(table->game, table_watch_visible_state(table), SPECTATOR, &view);
        *round = view.round;
        *rounds = view.rounds;
    }
}

uint8_t table_row_halt(const struct table *table)
{
    return table->row.halt == STORAGE_HALT_ROUND ? HALT_NONE : (uint8_t)table->row.halt;
}

struct table_row table_make_row(const struct table *table)
{
    uint8_t round = 0;
    uint8_t rounds = 0;
    read_visible_rounds(table, &round, &rounds);
    struct clock_rule clock = table_clock_rule(table);
    struct table_row row = {
        .id = table->row.id,
        .game = table->game,
        .players = table->row.players,
        .seated = (uint8_t)table_count_taken_seats(table),
        .bots = (uint8_t)__builtin_popcount(table_seats_held_by(table, STORAGE_SEAT_BOT)),
        .phase = (uint8_t)table_phase(table),
        .halt = table_row_halt(table),
        .is_locked = table->row.password_hash[0] != '\0',
        .round = round,
        .rounds = rounds,
        .watchers = (uint16_t)table_count_spectators(table),
        .clock_s = (int32_t)clock.time_s,
        .clock = clock,
        .watch = table_watch_rule(table),
        .fit = table_eligibility_rule(table),
    };
    row_copy_text(row.host, sizeof(row.host), table->row.host_name);
    return row;
}

bool account_is_bot(struct house *house, int64_t account)
{
    struct storage_account row;
    return account != 0 && stored(house, storage_account_by_id(house->storage, account, &row)) &&
           row.kind == STORAGE_BOT;
}

const struct storage_seat *bot_seat_find(const struct table *table, const char *name)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_BOT && strcmp(holder->name, name) == 0) {
            return holder;
        }
    }
    return NULL;
}

bool bot_seat_fill(struct house *house, struct table *table, int seat, enum bot_level level)
{
    for (size_t i = 0; bot_name_at(i) != NULL; i++) {
        const struct bot_name *bot = bot_name_at(i);
        if (bot->level != level || bot_seat_find(table, bot->name) != NULL) {
            continue;
        }
        struct storage_account account = {.id = 0};
        bool has_account =
            stored(house, storage_account_by_name(house->storage, bot->name, &account));
        if (has_account && account.kind != STORAGE_BOT) {
            continue; /* somebody had this name before there was a bot of that name */
        }
        struct storage_seat *holder = &table->row.seats[seat];
        *holder = (struct storage_seat){.holder = STORAGE_SEAT_BOT, .account = account.id};
        (void)snprintf(holder->name, sizeof(holder->name), "%s", bot->name);
        (void)snprintf(holder->policy, sizeof(holder->policy), "%s",
                       row_word_of_value(&bot_level_words, level));
        table->gone_ms[seat] = 0;
        return true;
    }
    return false;
}
