#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <stdlib.h>
#include <string.h>

/* The tables at which a person has a seat. The list is sent only to that person. */

#define OWN_TABLES_MAX 400 /* with rows of 150 bytes, this many tables fit into one packet */

struct mine {
    char *text; /* the list of the person's tables as last sent; NULL: not sent yet */
};

static struct mine *own_tables_of(const struct person *person)
{
    return PERSON_STATE(person, own_tables);
}

static json_t *make_own_table_json(struct house *house, struct table *table, int seat)
{
    struct mine_row row = {
        .table = table->row.id,
        .game = table->game,
        .is_turn = table_waits_for_seat(table, seat),
        .halt = table_row_halt(table),
        .is_live = table_phase(table) == TABLE_PLAYING && !table_is_turn_by_turn(table),
    };
    int64_t due_ms = row.is_turn ? table_times_timeout_at_ms(house, table, seat) : INT64_MAX;
    row.due_ms = due_ms == INT64_MAX ? 0 : due_ms;
    return mine_row_write(&row);
}

/* Counts the tables that wait for a move by the person. */
static size_t count_awaited_turns(struct house *house, const struct person *person)
{
    size_t count = 0;
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, person);
        count += seat >= 0 && table_waits_for_seat(table, seat);
    }
    return count;
}

/* When there are more than OWN_TABLES_MAX tables, those that wait for the person's move are sent
 * first. */
static json_t *make_own_tables_message(struct house *house, const struct person *person)
{
    json_t *tables = json_array();
    size_t turns = count_awaited_turns(house, person);
    size_t others = turns < OWN_TABLES_MAX ? OWN_TABLES_MAX - turns : 0;
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, person);
        bool is_turn = seat >= 0 && table_waits_for_seat(table, seat);
        if (json_array_size(tables) < OWN_TABLES_MAX && seat >= 0 && (is_turn || others > 0)) {
            others -= !is_turn;
            (void)json_array_append_new(tables, make_own_table_json(house, table, seat));
        }
    }
    return json_pack("{s:s,s:o}", "t", "mine", "tables", tables);
}

static void send_own_tables(struct house *house, const struct person *person)
{
    struct payload *payload =
        payload_new(own_tables_of(person)->text, strlen(own_tables_of(person)->text));
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (!conn->awaits_hello) {
            conn_send_payload(house, conn, payload);
        }
    }
    payload_release(payload);
}

void own_tables_send_changed_lists(struct house *house)
{
    struct person_list *changed = &persons_of(house)->own_tables_changed;
    while (!TAILQ_EMPTY(changed)) {
        struct person *person = TAILQ_FIRST(changed);
        if (last_sent_replace_if_changed(&own_tables_of(person)->text,
                                         make_own_tables_message(house, person))) {
            send_own_tables(house, person);
        }
        person_unmark_own_tables_changed(house, person);
    }
}

static void send_own_tables_at_hello(struct house *house, struct conn *conn,
                                     UNUSED int64_t last_chat_line)
{
    conn_send(house, conn, make_own_tables_message(house, conn->person));
}

static void free_own_tables(struct person *person)
{
    free(own_tables_of(person)->text);
}

const struct person_listener own_tables_person_listener = {
    .person_size = sizeof(struct mine),
    .end = free_own_tables,
};

const struct part own_tables_part = {
    .name = "own-tables",
    .hello = send_own_tables_at_hello,
};
