#include "lobby/bots/lobby_bots.h"
#include "lobby/chat/presence_words.h"
#include "lobby/house/conns.h"
#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/people/own_tables.h"
#include "lobby/people/presence.h"
#include "lobby/persons/bot_names.h"
#include "lobby/persons/listeners.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/last_sent.h"
#include "lobby/tables/lessons.h"
#include "lobby/tables/listeners.h"
#include "lobby/tables/table_eligibility.h"
#include "lobby/tables/table_row.h"
#include "lobby/tables/tables.h"

#include <stdlib.h>
#include <string.h>

/*
 * The rows of people and tables that everybody sees in the lobby. Each row is stored as it was last
 * sent. Changes are collected for PACE_LOBBY_MS and then sent to everybody at once. A newcomer gets
 * all stored rows first, and from then on the same changes as everybody else.
 */

/* When a message has this many bytes, further rows and removals go into the next message. The rest
 * of a packet has room for the other fields of the message. */
#define BATCH_BYTES (PAYLOAD_MAX - 1024)
#define ROWS_MAX 100

struct lobby_message {
    struct house *house;
    const struct conn *to; /* the connection that gets the message; NULL: everybody */
    bool is_reset;
    bool is_last; /* all rows have been added; from now on removals are added */
    const char *people[ROWS_MAX];
    const char *tables[ROWS_MAX];
    size_t people_count, table_count;
    size_t bytes; /* total length of the rows, in bytes */
};

struct lobby {
    /* Names of people and numbers of tables whose removal is to be sent with the next changes. */
    json_t *gone, *gone_tables;
    int64_t sent_ms;               /* when changes were last sent */
    int64_t idle_checked_ms;       /* when idle times were last updated */
    struct bucket rows;            /* limits how fast snapshots are sent */
    char *bot_rows[BOT_NAMES_MAX]; /* lobby rows of bots that sit at a table, as last sent */
    struct conn_links waiting;     /* connections that wait for a snapshot, in order of arrival */
};

struct lobby_conn {
    bool is_waiting;       /* whether the connection waits for a snapshot */
    struct conn_link link; /* link in the lobby's list `waiting` */
};

static struct lobby *lobby_of(const struct house *house)
{
    return PART_STATE(house, lobby);
}

static struct lobby_conn *lobby_state_of_conn(const struct conn *conn)
{
    return CONN_STATE(conn, lobby);
}

static void init_lobby(struct house *house)
{
    struct lobby *lobby = lobby_of(house);
    TAILQ_INIT(&lobby->waiting);
    lobby->gone = json_array();
    lobby->gone_tables = json_array();
    lobby->idle_checked_ms = house->now_ms;
}

static void free_removal_lists(struct house *house)
{
    json_decref(lobby_of(house)->gone);
    json_decref(lobby_of(house)->gone_tables);
}

struct lobby_person {
    char *row; /* the person's lobby row as last sent; NULL: not sent yet */
};

static struct lobby_person *lobby_state_of_person(const struct person *person)
{
    return PERSON_STATE(person, lobby);
}

struct lobby_table {
    char *row; /* the table's lobby row as last sent; NULL: not sent yet */
};

static struct lobby_table *lobby_state_of_table(const struct table *table)
{
    return TABLE_STATE(table, lobby);
}

static bool all_removals_are_sent(const struct house *house)
{
    return json_array_size(lobby_of(house)->gone) + json_array_size(lobby_of(house)->gone_tables) ==
           0;
}

static bool lobby_has_changes(const struct house *house)
{
    return persons_of(house)->is_changed || tables_of(house)->rows_changed ||
           !all_removals_are_sent(house);
}

static void send_payload_to_everybody(struct house *house, struct payload *payload)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL && !conn->awaits_hello && !lobby_state_of_conn(conn)->is_waiting) {
            conn_send_payload(house, conn, payload);
        }
    }
}

static void write_rows(struct text *out, const char *key, const char *const *rows, size_t count)
{
    text_put(out, ",\"");
    text_put(out, key);
    text_put(out, "\":[");
    for (size_t i = 0; i < count; i++) {
        text_put(out, i == 0 ? "" : ",");
        text_put(out, rows[i]);
    }
    text_put_char(out, ']');
}

/* Moves names or numbers from the end of the list `gone` (NULL: no list) into the message while the
 * message has room. */
static void move_removals_to_message(struct text *out, const char *key, json_t *gone)
{
    size_t count = json_array_size(gone);
    text_put(out, ",\"");
    text_put(out, key);
    text_put(out, "\":[");
    for (bool is_first = true; count > 0 && out->len < BATCH_BYTES; count--, is_first = false) {
        char *one =
            memory_check_allocated(json_dumps(json_array_get(gone, count - 1), JSON_ENCODE_ANY));
        text_put(out, is_first ? "" : ",");
        text_put(out, one);
        free(one);
        (void)json_array_remove(gone, count - 1);
    }
    text_put_char(out, ']');
}

static void send_lobby_message(struct lobby_message *message)
{
    struct house *house = message->house;
    bool has_gone = message->to == NULL && message->is_last;
    char *buffer = memory_new(PAYLOAD_MAX);
    struct text text = text_init(buffer, PAYLOAD_MAX);
    text_put(&text, "{\"t\":\"lobby\",\"reset\":");
    text_put(&text, message->is_reset ? "true" : "false");
    write_rows(&text, "people", message->people, message->people_count);
    write_rows(&text, "tables", message->tables, message->table_count);
    move_removals_to_message(&text, "gone_people", has_gone ? lobby_of(house)->gone : NULL);
    move_removals_to_message(&text, "gone_tables", has_gone ? lobby_of(house)->gone_tables : NULL);
    text_put_char(&text, '}');
    struct payload *payload = payload_new(buffer, text.len);
    if (message->to == NULL) {
        send_payload_to_everybody(house, payload);
    } else {
        conn_send_payload(house, message->to, payload);
    }
    payload_release(payload);
    free(buffer);
    message->is_reset = false;
    message->people_count = 0;
    message->table_count = 0;
    message->bytes = 0;
}

static void add_row_to_message(struct lobby_message *message, const char *row, bool is_table)
{
    size_t len = 1 + strlen(row);
    if (message->people_count + message->table_count == ROWS_MAX ||
        message->bytes + len > BATCH_BYTES) {
        send_lobby_message(message);
    }
    message->bytes += len;
    if (is_table) {
        message->tables[message->table_count++] = row;
    } else {
        message->people[message->people_count++] = row;
    }
}

/* Sends the rows of the message that are not sent yet, then the names and numbers of removed people
 * and tables. */
static void send_remaining_rows(struct lobby_message *message)
{
    message->is_last = true;
    do {
        send_lobby_message(message);
    } while (message->to == NULL && !all_removals_are_sent(message->house));
}

static void send_snapshot(struct house *house, const struct conn *conn)
{
    struct lobby_message message = {.house = house, .to = conn, .is_reset = true};
    PERSONS_EACH(person, house) {
        if (lobby_state_of_person(person)->row != NULL) {
            add_row_to_message(&message, lobby_state_of_person(person)->row, false);
        }
    }
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        if (lobby_of(house)->bot_rows[i] != NULL) {
            add_row_to_message(&message, lobby_of(house)->bot_rows[i], false);
        }
    }
    TABLES_EACH(table, house) {
        if (lobby_state_of_table(table)->row != NULL) {
            add_row_to_message(&message, lobby_state_of_table(table)->row, true);
        }
    }
    send_remaining_rows(&message);
}

static void leave_snapshot_queue(struct house *house, struct conn *conn)
{
    if (lobby_state_of_conn(conn)->is_waiting) {
        lobby_state_of_conn(conn)->is_waiting = false;
        TAILQ_REMOVE(&lobby_of(house)->waiting, &lobby_state_of_conn(conn)->link, in_list);
    }
}

/* Returns the first connection that waits for a snapshot. Connections in the lobby come before
 * those at a table. */
static struct conn *first_conn_awaiting_snapshot(const struct house *house)
{
    const struct conn_links *waiting = &lobby_of(house)->waiting;
    struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, waiting)
    {
        if (conn_table(conn) == NULL) {
            return conn;
        }
    }
    return TAILQ_EMPTY(waiting) ? NULL : TAILQ_FIRST(waiting)->conn;
}

/* True when the rate limit allows a snapshot now. If so, counts the snapshot's rows against the
 * limit. */
static bool rate_limit_allows_snapshot(struct house *house, const struct conn *conn)
{
    static const struct bucket_rule pace = {PACE_LOBBY_ROWS_BURST, PACE_LOBBY_ROWS};
    size_t rows = index_count(&persons_of(house)->by_name) + index_count(&tables_of(house)->by_id);
    size_t cost = conn_table(conn) == NULL ? rows : PACE_LOBBY_UNSEEN * rows;
    double tokens = cost < PACE_LOBBY_ROWS_BURST ? (double)cost : PACE_LOBBY_ROWS_BURST;
    return bucket_take_tokens(&lobby_of(house)->rows, &pace, tokens, house->now_ms);
}

/* Sends a snapshot of all rows; its first message has `reset`. A connection in the lobby gets the
 * snapshot at once unless PACE_LOBBY_ROWS is used up, as when everybody returns after a restart of
 * the core. All other connections wait, those at a table longest; while they wait, they get no
 * changes. */
static void send_or_queue_snapshot(struct house *house, struct conn *conn,
                                   UNUSED int64_t last_chat_line)
{
    leave_snapshot_queue(house, conn);
    if (conn_table(conn) == NULL && TAILQ_EMPTY(&lobby_of(house)->waiting) &&
        rate_limit_allows_snapshot(house, conn)) {
        send_snapshot(house, conn);
        return;
    }
    lobby_state_of_conn(conn)->is_waiting = true;
    lobby_state_of_conn(conn)->link.conn = conn;
    TAILQ_INSERT_TAIL(&lobby_of(house)->waiting, &lobby_state_of_conn(conn)->link, in_list);
}

/* Sends snapshots to waiting connections while the rate limit allows it. */
static void send_waiting_snapshots(struct house *house)
{
    struct conn *conn = NULL;
    while ((conn = first_conn_awaiting_snapshot(house)) != NULL &&
           rate_limit_allows_snapshot(house, conn)) {
        leave_snapshot_queue(house, conn);
        send_snapshot(house, conn);
    }
}

/* Cancels the removal of a person who has returned. */
static void cancel_removal_of_person(struct house *house, const char *name)
{
    for (size_t i = json_array_size(lobby_of(house)->gone); i > 0; i--) {
        const char *gone = json_string_value(json_array_get(lobby_of(house)->gone, i - 1));
        if (strcmp(gone, name) == 0) {
            (void)json_array_remove(lobby_of(house)->gone, i - 1);
        }
    }
}

/* Returns the idle time, rounded to steps. Longer idle times have larger steps, so that rows change
 * seldom. */
static int64_t rounded_idle_s(const struct house *house, const struct person *person)
{
    int64_t minutes = presence_idle_ms(house, person) / 60000;
    if (minutes >= 60) {
        minutes -= minutes % 60;
    } else if (minutes >= 5) {
        minutes -= minutes % 5;
    }
    return minutes <= 0 ? 0 : 60 * minutes;
}

static struct person_row make_person_row(const struct house *house, const struct person *person)
{
    const struct table *table = person_find_entered_table(person);
    struct person_row row = {
        .kind = (uint8_t)person->kind,
        .role = (uint8_t)person->role,
        .rating = rating_to_row(person->has_rating, person->mu, person->is_provisional),
        .table = table == NULL ? 0 : table->row.id,
        .is_seated = table != NULL && table_seat_of(table, person) >= 0,
        .idle_s = (int32_t)rounded_idle_s(house, person),
    };
    row_copy_text(row.name, sizeof(row.name), person->name);
    row.presence = presence_for_lobby_row(house, person, row.presence_text);
    return row;
}

static bool person_row_has_changed(const struct house *house, struct person *person)
{
    struct person_row row = make_person_row(house, person);
    return last_sent_replace_if_changed(&lobby_state_of_person(person)->row,
                                        person_row_write(&row));
}

static bool table_row_has_changed(struct table *table)
{
    struct table_row row = table_make_row(table);
    return last_sent_replace_if_changed(&lobby_state_of_table(table)->row, table_row_write(&row));
}

static void send_changed_bot_rows(struct house *house, struct lobby_message *message)
{
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        char **kept = &lobby_of(house)->bot_rows[i];
        json_t *row = lobby_bot_row(house, i);
        if (row == NULL && *kept != NULL) {
            (void)json_array_append_new(lobby_of(house)->gone, json_string(bot_name_at(i)->name));
            free(*kept);
            *kept = NULL;
        } else if (row != NULL && last_sent_replace_if_changed(kept, row)) {
            add_row_to_message(message, *kept, false);
        }
    }
}

static void send_changed_rows(struct house *house)
{
    table_eligibility_send_changes(house); /* a person must learn which tables they may not see
                                              before they get rows of those tables */
    struct lobby_message message = {.house = house};
    send_changed_bot_rows(house, &message);
    PERSONS_EACH(person, house) {
        if (person->is_changed && person_is_in_house(person) &&
            person_row_has_changed(house, person)) {
            cancel_removal_of_person(house, person->name);
            add_row_to_message(&message, lobby_state_of_person(person)->row, false);
        }
        person->is_changed = false;
    }
    TABLES_EACH(table, house) {
        if (table->is_changed && !table_is_lesson(table) && table_row_has_changed(table)) {
            add_row_to_message(&message, lobby_state_of_table(table)->row, true);
        }
        table->is_changed = false;
    }
    if (message.people_count + message.table_count > 0 || !all_removals_are_sent(house)) {
        send_remaining_rows(&message);
    }
    persons_of(house)->is_changed = false;
    tables_of(house)->rows_changed = false;
    lobby_of(house)->sent_ms = house->now_ms;
}

static void send_due_changes(struct house *house)
{
    own_tables_send_changed_lists(house);
    if (lobby_has_changes(house) && house->now_ms - lobby_of(house)->sent_ms >= PACE_LOBBY_MS) {
        send_changed_rows(house);
    }
    send_waiting_snapshots(house);
}

static void send_changes_now(struct house *house)
{
    if (lobby_has_changes(house)) {
        send_changed_rows(house);
    }
}

static void refresh_idle_times(struct house *house)
{
    if (house->now_ms - lobby_of(house)->idle_checked_ms < PACE_IDLE_MS) {
        return;
    }
    lobby_of(house)->idle_checked_ms = house->now_ms;
    PERSONS_EACH(person, house) {
        person_mark_changed(house, person);
    }
}

static int64_t lobby_push_due_ms(const struct house *house)
{
    if (!TAILQ_EMPTY(&lobby_of(house)->waiting)) {
        return house->now_ms + PACE_LOBBY_WAIT_MS;
    }
    if (lobby_has_changes(house)) {
        return lobby_of(house)->sent_ms + PACE_LOBBY_MS;
    }
    return index_count(&persons_of(house)->by_name) == 0
               ? INT64_MAX
               : lobby_of(house)->idle_checked_ms + PACE_IDLE_MS;
}

static void clear_lobby(struct house *house)
{
    (void)json_array_clear(lobby_of(house)->gone);
    (void)json_array_clear(lobby_of(house)->gone_tables);
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        free(lobby_of(house)->bot_rows[i]);
        lobby_of(house)->bot_rows[i] = NULL;
    }
    TAILQ_INIT(&lobby_of(house)->waiting);
}

static void remove_person_from_lobby(struct house *house, struct person *person)
{
    struct lobby_person *known = lobby_state_of_person(person);
    if (known->row != NULL) {
        (void)json_array_append_new(lobby_of(house)->gone, json_string(person->name));
        free(known->row);
        known->row = NULL;
    }
}

static void free_person_row(struct person *person)
{
    free(lobby_state_of_person(person)->row);
}

const struct person_listener lobby_person_listener = {
    .person_size = sizeof(struct lobby_person),
    .rename = remove_person_from_lobby,
    .gone = remove_person_from_lobby,
    .end = free_person_row,
};

static void remove_table_from_lobby(struct house *house, struct table *table)
{
    (void)json_array_append_new(lobby_of(house)->gone_tables, json_integer(table->row.id));
}

static void free_table_row(struct table *table)
{
    free(lobby_state_of_table(table)->row);
}

const struct table_listener lobby_table_listener = {
    .table_size = sizeof(struct lobby_table),
    .closed = remove_table_from_lobby,
    .freed = free_table_row,
};

const struct part lobby_part = {
    .name = "lobby",
    .house_size = sizeof(struct lobby),
    .conn_size = sizeof(struct lobby_conn),
    .begin = init_lobby,
    .end = free_removal_lists,
    .works_when_full = true,
    .clear = clear_lobby,
    .tick = refresh_idle_times,
    .next_ms = lobby_push_due_ms,
    .flush = send_due_changes,
    .hello = send_or_queue_snapshot,
    .conn_lost = leave_snapshot_queue,
    .conn_gone = leave_snapshot_queue,
    .tell_now = send_changes_now,
};
