#include "lobby/house/parts.h"
#include "lobby/people/people.h"
#include "lobby/tables/tables.h"

#include <stdlib.h>
#include <string.h>

/*
 * The whole lobby, for the connections that asked for it in their `hello`. Changes are collected
 * for PACE_LOBBY_MS and then sent to all followers at once. A new follower gets all rows first, and
 * from then on the same changes as everybody else.
 */

/* When a message has this many bytes, further rows and removals go into the next message. The rest
 * of a packet has room for the other fields of the message. */
#define BATCH_BYTES (PAYLOAD_MAX - 1024)
#define ROWS_MAX 100

struct lobby_message {
    struct house *house;
    const struct conn *to; /* the connection that gets the message; NULL: all followers */
    bool is_reset;
    bool is_last; /* all rows have been added; from now on removals are added */
    const char *people[ROWS_MAX];
    const char *tables[ROWS_MAX];
    size_t people_count, table_count;
    size_t bytes; /* total length of the rows, in bytes */
};

struct lobby {
    int64_t sent_ms;             /* when changes were last sent */
    struct bucket rows;          /* limits how fast snapshots are sent */
    struct conn_links followers; /* connections that have got a snapshot */
    struct conn_links waiting;   /* connections that wait for one, in order of arrival */
};

struct lobby_conn {
    struct conn_links *list; /* the list that has the connection, one of the two of struct lobby;
                                NULL: none */
    struct conn_link link;
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
    TAILQ_INIT(&lobby_of(house)->followers);
    TAILQ_INIT(&lobby_of(house)->waiting);
}

static bool all_removals_are_sent(const struct house *house)
{
    const struct lobby_rows *rows = lobby_rows_of(house);
    return json_array_size(rows->gone_people) + json_array_size(rows->gone_tables) == 0;
}

static bool lobby_has_changes(const struct house *house)
{
    const struct lobby_rows *rows = lobby_rows_of(house);
    return lobby_rows_are_outdated(house) || !TAILQ_EMPTY(&rows->unsent) ||
           rows->has_unsent_tables || !all_removals_are_sent(house);
}

static void send_payload_to_followers(struct house *house, struct payload *payload)
{
    LINKED_CONNS_EACH(conn, &lobby_of(house)->followers) {
        if (!conn->awaits_hello) {
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
    const struct lobby_rows *rows = lobby_rows_of(house);
    bool has_gone = message->to == NULL && message->is_last;
    char *buffer = memory_new(PAYLOAD_MAX);
    struct text text = text_init(buffer, PAYLOAD_MAX);
    text_put(&text, "{\"t\":\"lobby\",\"reset\":");
    text_put(&text, message->is_reset ? "true" : "false");
    write_rows(&text, "people", message->people, message->people_count);
    write_rows(&text, "tables", message->tables, message->table_count);
    move_removals_to_message(&text, "gone_people", has_gone ? rows->gone_people : NULL);
    move_removals_to_message(&text, "gone_tables", has_gone ? rows->gone_tables : NULL);
    text_put_char(&text, '}');
    struct payload *payload = payload_new(buffer, text.len);
    if (message->to == NULL) {
        send_payload_to_followers(house, payload);
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
    const struct lobby_rows *rows = lobby_rows_of(house);
    for (size_t i = 0; i < rows->people_count; i++) {
        add_row_to_message(&message, rows->people[i].row->text, false);
    }
    TABLES_EACH(table, house) {
        if (lobby_rows_of_table(table)->text != NULL) {
            add_row_to_message(&message, lobby_rows_of_table(table)->text, true);
        }
    }
    send_remaining_rows(&message);
}

static void leave_list(UNUSED struct house *house, struct conn *conn)
{
    struct lobby_conn *state = lobby_state_of_conn(conn);
    if (state->list != NULL) {
        TAILQ_REMOVE(state->list, &state->link, in_list);
        state->list = NULL;
    }
}

static void join_list(struct conn_links *list, struct conn *conn)
{
    struct lobby_conn *state = lobby_state_of_conn(conn);
    state->link.conn = conn;
    state->list = list;
    TAILQ_INSERT_TAIL(list, &state->link, in_list);
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
    leave_list(house, conn);
    if (!conn->follows_lobby) {
        return;
    }
    if (conn_table(conn) == NULL && TAILQ_EMPTY(&lobby_of(house)->waiting) &&
        rate_limit_allows_snapshot(house, conn)) {
        send_snapshot(house, conn);
        join_list(&lobby_of(house)->followers, conn);
    } else {
        join_list(&lobby_of(house)->waiting, conn);
    }
}

/* Sends snapshots to waiting connections while the rate limit allows it. */
static void send_waiting_snapshots(struct house *house)
{
    struct conn *conn = NULL;
    while ((conn = first_conn_awaiting_snapshot(house)) != NULL &&
           rate_limit_allows_snapshot(house, conn)) {
        leave_list(house, conn);
        send_snapshot(house, conn);
        join_list(&lobby_of(house)->followers, conn);
    }
}

static void add_unsent_people(struct lobby_message *message)
{
    struct lobby_rows *rows = lobby_rows_of(message->house);
    struct lobby_person_row *person = NULL;
    while ((person = TAILQ_FIRST(&rows->unsent)) != NULL) {
        TAILQ_REMOVE(&rows->unsent, person, of_unsent);
        person->is_unsent = false;
        add_row_to_message(message, person->text, false);
    }
}

static void add_unsent_tables(struct lobby_message *message)
{
    struct lobby_rows *rows = lobby_rows_of(message->house);
    if (!rows->has_unsent_tables) {
        return;
    }
    TABLES_EACH(table, message->house) {
        struct lobby_table *row = lobby_rows_of_table(table);
        if (row->is_unsent) {
            row->is_unsent = false;
            add_row_to_message(message, row->text, true);
        }
    }
    rows->has_unsent_tables = false;
}

static void send_changed_rows(struct house *house)
{
    table_eligibility_send_changes(house); /* a person must learn which tables they may not see
                                              before they get rows of those tables */
    lobby_rows_update_all(house);
    struct lobby_message message = {.house = house};
    const struct lobby_rows *rows = lobby_rows_of(house);
    add_unsent_people(&message);
    add_unsent_tables(&message);
    if (TAILQ_EMPTY(&lobby_of(house)->followers)) {
        (void)json_array_clear(rows->gone_people);
        (void)json_array_clear(rows->gone_tables);
    } else if (message.people_count + message.table_count > 0 || !all_removals_are_sent(house)) {
        send_remaining_rows(&message);
    }
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

static int64_t lobby_push_due_ms(const struct house *house)
{
    if (!TAILQ_EMPTY(&lobby_of(house)->waiting)) {
        return house->now_ms + PACE_LOBBY_WAIT_MS;
    }
    return lobby_has_changes(house) ? lobby_of(house)->sent_ms + PACE_LOBBY_MS : INT64_MAX;
}

static void clear_lobby(struct house *house)
{
    init_lobby(house);
}

const struct part lobby_part = {
    .name = "lobby",
    .house_size = sizeof(struct lobby),
    .conn_size = sizeof(struct lobby_conn),
    .begin = init_lobby,
    .works_when_full = true,
    .clear = clear_lobby,
    .next_ms = lobby_push_due_ms,
    .flush = send_due_changes,
    .tell_now = send_changes_now,
    .hello = send_or_queue_snapshot,
    .conn_lost = leave_list,
    .conn_gone = leave_list,
};
