#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"

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
    const struct layout *layout = &tables_of(house)->layout;
    struct table *table = memory_new(sizeof(*table) + layout->size);
    table->layout = layout;
    table->blocks = (char *)(table + 1);
    table->row = *row;
    table->stored = *row;
    table->game = game;
    table->config = config;
    table->sheet = json_array();
    table->empty_since_ms = house->now_ms;
    TAILQ_INIT(&table->conns);
    index_add(&tables_of(house)->by_id, &table->row.id, sizeof(table->row.id), table);
    table_mark_changed(house, table);
    return table;
}

void table_save(struct house *house, struct table *table)
{
    struct text options = text_init(table->row.options, sizeof(table->row.options));
    game_config_write(table->game, &table->config, &options);
    table->row.players = table->config.players;
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
    TABLE_LISTENERS_CALL(freed, table);
    free(table);
}

void table_mark_changed(struct house *house, struct table *table)
{
    table->is_changed = true;
    table->table_changed = true;
    tables_of(house)->rows_changed = true;
    tables_of(house)->is_changed = true;
}

void table_mark_view_changed(struct house *house, struct table *table)
{
    table->view_changed = true;
    tables_of(house)->is_changed = true;
}

void table_mark_turns_changed(struct house *house, struct table *table)
{
    TABLE_LISTENERS_CALL(turn_changed, house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        struct person *person = table_connected_holder(house, table, seat);
        if (person != NULL) {
            person_mark_own_tables_changed(house, person);
        }
    }
}

void table_mark_holder_changed(struct house *house, const struct table *table, int seat)
{
    struct person *person = table_connected_holder(house, table, seat);
    if (person != NULL) {
        person_mark_changed(house, person);
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

int table_first_free_seat(const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].holder == STORAGE_SEAT_EMPTY) {
            return seat;
        }
    }
    return -1;
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

int table_count_seated_people(const struct table *table)
{
    int count = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        count += seat_has_person(&table->row.seats[seat]);
    }
    return count;
}

int table_count_taken_seats(const struct table *table)
{
    int count = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        count += table->row.seats[seat].holder != STORAGE_SEAT_EMPTY;
    }
    return count;
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
    const struct conn *first = NULL;
    CONN_LINKS_EACH(first, &conn->person->conns)
    {
        if (conn_table(first) == table) {
            break;
        }
    }
    return first == conn && !conn_is_observing(conn) && table_seat_of(table, conn->person) < 0;
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

int table_count_spectators(const struct table *table)
{
    int count = 0;
    LINKED_CONNS_EACH(conn, &table->conns) {
        count += table_counts_conn_as_spectator(table, conn);
    }
    return count;
}

struct person *table_connected_holder(const struct house *house, const struct table *table,
                                      int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    struct person *person = seat_has_person(holder) ? person_find(house, holder->name) : NULL;
    return person_is_in_house(person) ? person : NULL;
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
    static const enum table_phase phases[] = {
        [STORAGE_TABLE_OPEN] = TABLE_OPEN,
        [STORAGE_TABLE_PLAYING] = TABLE_PLAYING,
        [STORAGE_TABLE_FINISHED] = TABLE_FINISHED,
        [STORAGE_TABLE_CLOSED] = TABLE_FINISHED,
    };
    static_assert(ARRAY_LEN(phases) == STORED_LAST(STORED_TABLE_STATES) + 1,
                  "every state of a table needs an entry in phases");
    return phases[table->row.state];
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

void tables_mark_eligibility_changed(struct house *house)
{
    tables_of(house)->fits_changed = true;
    tables_of(house)->rows_changed = true;
}

int64_t tables_next_ms(const struct house *house,
                       int64_t (*next_ms)(const struct house *house, const struct table *table))
{
    int64_t first_ms = INT64_MAX;
    TABLES_EACH(table, house) {
        int64_t table_ms = next_ms(house, table);
        first_ms = table_ms < first_ms ? table_ms : first_ms;
    }
    return first_ms;
}
