#include "lobby/people/people.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a person was last told about their own tables. */
struct mine {
    char *text;            /* the list of the person's tables as last sent; NULL: not sent yet */
    bool has_closed_table; /* one of the tables has closed since */
};

PERSON_STATE(own_tables_of, struct mine, own_tables);
PERSON_STATE(row_of_person, struct lobby_person_row, lobby_rows);

static void load_lobby(struct house *house)
{
    struct lobby_rows *rows = &lobby_of(house)->rows;
    TAILQ_INIT(&lobby_of(house)->followers);
    TAILQ_INIT(&lobby_of(house)->waiting);
    rows->gone_people = json_array();
    rows->gone_tables = json_array();
    if (rows->idle_checked_ms == 0) {
        rows->idle_checked_ms = house->now_ms;
    }
}

/* Compares two names as the list of people is sorted: by name, and guests last, by their number.
 * The newest guests thus stand at the end, where few windows show them. */
static int lobby_rows_compare(const char *a, const char *b)
{
    static const char guest[] = "guest-"; /* only names of guests begin with this (names.c) */
    bool is_guest_a = strncmp(a, guest, sizeof(guest) - 1) == 0;
    bool is_guest_b = strncmp(b, guest, sizeof(guest) - 1) == 0;
    if (is_guest_a != is_guest_b) {
        return is_guest_a ? 1 : -1;
    }
    size_t len_a = strlen(a);
    size_t len_b = strlen(b);
    if (is_guest_a && len_a != len_b) {
        return len_a < len_b ? -1 : 1; /* guest-9 stands before guest-10 */
    }
    return strcmp(a, b);
}

/* Returns how many listed people stand before the one with this name, who may be missing. */
static size_t rank_of_name(const struct lobby_rows *rows, const char *name)
{
    size_t low = 0;
    size_t high = rows->people_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lobby_rows_compare(rows->people[middle]->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Cancels the removal of a person who has returned. */
static void cancel_removal(struct lobby_rows *rows, const char *name)
{
    for (size_t i = json_array_size(rows->gone_people); i > 0; i--) {
        const char *gone = json_string_value(json_array_get(rows->gone_people, i - 1));
        if (strcmp(gone, name) == 0) {
            (void)json_array_remove(rows->gone_people, i - 1);
        }
    }
}

/* Adds a row, whose name and account are set, to the sorted list. */
static void list_row(struct lobby_rows *rows, struct lobby_person_row *row)
{
    size_t rank = rank_of_name(rows, row->name);
    row->list = rows;
    rows->people = memory_grow(rows->people, rows->people_count, &rows->people_cap,
                               sizeof(struct lobby_person_row *));
    memmove(&rows->people[rank + 1], &rows->people[rank],
            (rows->people_count - rank) * sizeof(struct lobby_person_row *));
    rows->people[rank] = row;
    rows->people_count++;
    cancel_removal(rows, row->name);
}

/* Removes a person from the lobby, unless they are not listed. */
static void unlist_row(struct lobby_person_row *row)
{
    struct lobby_rows *rows = row->list;
    if (rows == NULL) {
        return;
    }
    size_t rank = rank_of_name(rows, row->name);
    memmove(&rows->people[rank], &rows->people[rank + 1],
            (rows->people_count - rank - 1) * sizeof(struct lobby_person_row *));
    rows->people_count--;
    rows->bot_count -= row->is_bot;
    rows->version++;
    (void)json_array_append_new(rows->gone_people, json_string(row->name));
    free(row->text);
    *row = (struct lobby_person_row){0};
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
        .rating = person->rating,
        .table = table == NULL ? 0 : table->row.id,
        .is_seated = table != NULL && table_seat_of(table, person) >= 0,
        .idle_s = (int32_t)rounded_idle_s(house, person),
    };
    row_copy_text(row.name, sizeof(row.name), person->name);
    row.presence = presence_for_lobby_row(house, person, row.presence_text);
    return row;
}

/* Makes the row of a person or bot anew, who is listed from now on if they were not. */
static void update_row(struct lobby_rows *rows, struct lobby_person_row *row,
                       const struct person_row *made, int64_t account)
{
    bool is_new = row->text == NULL;
    bool is_bot = made->kind == PERSON_BOT;
    if (!last_sent_replace_if_changed(&row->text, person_row_write(made))) {
        return;
    }
    if (is_new) {
        (void)snprintf(row->name, sizeof(row->name), "%s", made->name);
        row->account = account;
        list_row(rows, row);
    }
    rows->bot_count = rows->bot_count + is_bot - row->is_bot;
    row->is_bot = is_bot;
    row->version = ++rows->version;
}

void lobby_rows_update_people(struct house *house)
{
    if (!persons_of(house)->has_changed) {
        return;
    }
    PERSONS_EACH(person, house) {
        if (person->is_changed && person_is_in_house(person)) {
            struct person_row made = make_person_row(house, person);
            update_row(&lobby_of(house)->rows, row_of_person(person), &made, person->account);
        }
        person->is_changed = false;
    }
}

static void update_tables(struct house *house)
{
    struct lobby_rows *rows = &lobby_of(house)->rows;
    TABLES_EACH(table, house) {
        struct lobby_table *lobby = &table->lobby;
        bool is_listed = table->is_changed && !table_is_lesson(table);
        bool is_new = lobby->text == NULL;
        table->is_changed = false;
        if (!is_listed) {
            continue;
        }
        lobby->row = table_make_row(table);
        if (last_sent_replace_if_changed(&lobby->text, table_row_write(&lobby->row))) {
            rows->table_count += is_new;
            lobby->version = ++rows->version;
        }
    }
}

/* Returns the number of the newest table at which the bot sits (0: none), and sets *account to the
 * bot's account. */
static int64_t newest_table_of_bot(const struct house *house, const char *name, int64_t *account)
{
    int64_t id = 0;
    TABLES_EACH(table, house) {
        const struct storage_seat *seat = bot_seat_find(table, name);
        if (seat != NULL && table->row.id > id && !table_is_lesson(table)) {
            id = table->row.id;
            *account = seat->account;
        }
    }
    return id;
}

/* Fills the lobby row of the bot with this index in persons/persons.h; false when the bot sits at
 * no table. */
static bool lobby_bot_make_row(struct house *house, size_t index, struct person_row *row)
{
    const char *name = bot_name_at(index)->name;
    int64_t account = 0;
    int64_t table = newest_table_of_bot(house, name, &account);
    if (table == 0) {
        return false;
    }
    struct storage_rating rating;
    bool has_rating =
        stored(house, storage_rating_read_most_played(house->storage, account, &rating));
    *row = (struct person_row){
        .kind = PERSON_BOT,
        .level = (uint8_t)bot_name_at(index)->level,
        .rating = rating_row_make(has_rating ? &rating : NULL, 0),
        .table = table,
        .is_seated = true,
    };
    row_copy_text(row->name, sizeof(row->name), name);
    return true;
}

static void update_bots(struct house *house)
{
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        struct lobby_person_row *row = &lobby_of(house)->bots[i];
        struct person_row made;
        if (lobby_bot_make_row(house, i, &made)) {
            update_row(&lobby_of(house)->rows, row, &made, 0);
        } else {
            unlist_row(row);
        }
    }
}

void lobby_rows_update_all(struct house *house)
{
    lobby_rows_update_people(house);
    tables_find_changes(house);
    if (tables_of(house)->rows_changed) {
        update_bots(house);
        update_tables(house);
        tables_of(house)->rows_changed = false;
    }
}

bool lobby_rows_are_outdated(const struct house *house)
{
    return persons_of(house)->has_changed || tables_of(house)->rows_changed;
}

/* Ends `away` if the person has done something since they set it. Called at times that do not
 * depend on what the person does. */
static void presence_note_activity_late(struct house *house, struct person *person)
{
    if (person->active_ms > person->presence_ms) {
        presence_end_away_status(house, person);
    }
}

static void refresh_idle_times(struct house *house)
{
    struct lobby_rows *rows = &lobby_of(house)->rows;
    if (house->now_ms - rows->idle_checked_ms < PACE_IDLE_MS) {
        return;
    }
    rows->idle_checked_ms = house->now_ms;
    PERSONS_EACH(person, house) {
        presence_note_activity_late(house, person);
        person_mark_changed(house, person);
    }
}

static int64_t next_idle_check_ms(const struct house *house)
{
    return index_count(&persons_of(house)->by_name) == 0
               ? INT64_MAX
               : lobby_of(house)->rows.idle_checked_ms + PACE_IDLE_MS;
}

static void clear_lobby(struct house *house)
{
    struct lobby_rows *rows = &lobby_of(house)->rows;
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        unlist_row(&lobby_of(house)->bots[i]);
    }
    json_decref(rows->gone_people);
    json_decref(rows->gone_tables);
    rows->gone_people = rows->gone_tables = NULL;
    free(rows->people);
    rows->people = NULL;
    rows->people_cap = 0;
    rows->table_count = 0;
}

static void remove_person(UNUSED struct house *house, struct person *person)
{
    unlist_row(row_of_person(person));
}

static void free_person_row(struct person *person)
{
    unlist_row(row_of_person(person));
}

const struct person_listener lobby_rows_person_listener = {
    .person_size = sizeof(struct lobby_person_row),
    .rename = remove_person,
    .gone = remove_person,
    .end = free_person_row,
};

static void remove_table(struct house *house, struct table *table)
{
    struct lobby_rows *rows = &lobby_of(house)->rows;
    (void)json_array_append_new(rows->gone_tables, json_integer(table->row.id));
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        if (person != NULL) {
            own_tables_of(person)->has_closed_table = true;
            lobby_of(house)->has_closed_table = true;
        }
    }
    rows->table_count -= table->lobby.text != NULL;
    rows->version++;
}

const struct table_listener lobby_rows_table_listener = {
    .closed = remove_table,
};

/* The tables at which a person has a seat. The list is sent only to that person. */

#define OWN_TABLES_MAX 400 /* with rows of 150 bytes, this many tables fit into one packet */

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

/* Sends the message `mine` to the person if the list has changed. Returns true if it has. */
static bool send_own_tables_if_changed(struct house *house, const struct person *person)
{
    bool is_changed = last_sent_replace_if_changed(&own_tables_of(person)->text,
                                                   make_own_tables_message(house, person));
    if (is_changed) {
        send_own_tables(house, person);
    }
    return is_changed;
}

/* Sends `mine` to whoever holds the seat and to whoever held it before this pass. If these are two
 * people, marks their lobby rows too. */
static void update_holders_of_seat(struct house *house, const struct table *table, int seat)
{
    const struct storage_seat *holders[] = {&table->row.seats[seat], &table->stored.seats[seat]};
    bool is_another = strcmp(holders[0]->name, holders[1]->name) != 0;
    for (int i = 0; i < (is_another ? 2 : 1); i++) {
        struct person *person = seat_connected_holder(house, holders[i]);
        if (person == NULL) {
            continue;
        }
        if (is_another) {
            person_mark_changed(house, person);
        }
        (void)send_own_tables_if_changed(house, person);
    }
}

/* Sends `mine` to everybody whose list of their own tables has changed. */
static void own_tables_send_changed_lists(struct house *house)
{
    TABLES_EACH(table, house) {
        for (int seat = 0; table->is_touched && seat < STORAGE_SEATS_MAX; seat++) {
            update_holders_of_seat(house, table, seat);
        }
    }
    if (!lobby_of(house)->has_closed_table) {
        return;
    }
    lobby_of(house)->has_closed_table = false;
    PERSONS_EACH(person, house) {
        if (own_tables_of(person)->has_closed_table) {
            own_tables_of(person)->has_closed_table = false;
            (void)send_own_tables_if_changed(house, person);
        }
    }
}

static void free_own_tables(struct person *person)
{
    free(own_tables_of(person)->text);
}

const struct person_listener own_tables_person_listener = {
    .person_size = sizeof(struct mine),
    .end = free_own_tables,
};

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
    bool has_tables;  /* the rows of people have ended */
    struct text text; /* the message so far; empty: it has no row yet */
    size_t count;     /* number of rows */
};

struct lobby_conn {
    struct conn_links *list; /* the list that has the connection, one of the two of struct lobby;
                                NULL: none */
    struct conn_link link;
};

CONN_STATE(lobby_state_of_conn, struct lobby_conn, lobby);

static bool all_removals_are_sent(const struct house *house)
{
    const struct lobby_rows *rows = &lobby_of(house)->rows;
    return json_array_size(rows->gone_people) + json_array_size(rows->gone_tables) == 0;
}

static bool lobby_has_changes(const struct house *house)
{
    return lobby_rows_are_outdated(house) ||
           lobby_of(house)->sent_version != lobby_of(house)->rows.version;
}

static void send_payload_to_followers(struct house *house, struct payload *payload)
{
    LINKED_CONNS_EACH(conn, &lobby_of(house)->followers) {
        if (!conn->awaits_hello) {
            conn_send_payload(house, conn, payload);
        }
    }
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

static void begin_message(struct lobby_message *message)
{
    if (message->text.len == 0) {
        text_put(&message->text, "{\"t\":\"lobby\",\"reset\":");
        text_put(&message->text, message->is_reset ? "true" : "false");
        text_put(&message->text, ",\"people\":[");
    }
}

/* Sends the message with the rows that it has; the next rows begin another message. The last
 * message to all followers also has the names and numbers of removed people and tables, if they
 * fit. */
static void send_lobby_message(struct lobby_message *message, bool is_last)
{
    struct house *house = message->house;
    const struct lobby_rows *rows = &lobby_of(house)->rows;
    bool has_gone = message->to == NULL && is_last;
    begin_message(message);
    text_put(&message->text, message->has_tables ? "]" : "],\"tables\":[]");
    move_removals_to_message(&message->text, "gone_people", has_gone ? rows->gone_people : NULL);
    move_removals_to_message(&message->text, "gone_tables", has_gone ? rows->gone_tables : NULL);
    text_put_char(&message->text, '}');
    struct payload *payload = payload_new(message->text.at, message->text.len);
    if (message->to == NULL) {
        send_payload_to_followers(house, payload);
    } else {
        conn_send_payload(house, message->to, payload);
    }
    payload_release(payload);
    message->is_reset = false;
    message->has_tables = false;
    message->text.len = 0;
    message->count = 0;
}

/* Adds a row; those of tables come after those of people. */
static void add_row_to_message(struct lobby_message *message, const char *row, bool is_table)
{
    if (message->count == ROWS_MAX || message->text.len + strlen(row) > BATCH_BYTES) {
        send_lobby_message(message, false);
    }
    begin_message(message);
    bool is_first = message->count == 0;
    if (is_table && !message->has_tables) {
        text_put(&message->text, "],\"tables\":[");
        message->has_tables = is_first = true;
    }
    text_put(&message->text, is_first ? "" : ",");
    text_put(&message->text, row);
    message->count++;
}

/* Adds the rows that are newer than this version of the lobby. */
static void add_newer_rows(struct lobby_message *message, uint64_t version)
{
    const struct lobby_rows *rows = &lobby_of(message->house)->rows;
    for (size_t i = 0; i < rows->people_count; i++) {
        if (rows->people[i]->version > version) {
            add_row_to_message(message, rows->people[i]->text, false);
        }
    }
    TABLES_EACH(table, message->house) {
        const struct lobby_table *row = &table->lobby;
        if (row->version > version) {
            add_row_to_message(message, row->text, true);
        }
    }
}

/* Sends the rows that are newer than this version of the lobby, with `reset` even if there are
 * none; followers also get the names and numbers of removed people and tables. */
static void send_newer_rows(struct lobby_message *message, uint64_t version)
{
    message->text = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX);
    add_newer_rows(message, version);
    while (message->is_reset || message->count > 0 ||
           (message->to == NULL && !all_removals_are_sent(message->house))) {
        send_lobby_message(message, true);
    }
    free(message->text.at);
}

static void send_snapshot(struct house *house, const struct conn *conn)
{
    struct lobby_message message = {.house = house, .to = conn, .is_reset = true};
    send_newer_rows(&message, 0);
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
    LINKED_CONNS_EACH(conn, waiting) {
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
    return bucket_take_tokens(&lobby_of(house)->pace, &pace, tokens, house->now_ms);
}

/* Sends a snapshot of all rows; its first message has `reset`. A connection in the lobby gets the
 * snapshot at once unless PACE_LOBBY_ROWS is used up, as when everybody returns after a restart of
 * the core. All other connections wait, those at a table longest; while they wait, they get no
 * changes. */
static void send_or_queue_snapshot(struct house *house, struct conn *conn)
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

/* Sends the names of the person's friends, the lobby's rows and talk, and the person's tables. */
static void send_lobby_at_hello(struct house *house, struct conn *conn)
{
    friends_send_names(house, conn);
    send_or_queue_snapshot(house, conn);
    chat_send_lobby_backlog(house, conn);
    if (!send_own_tables_if_changed(house, conn->person)) {
        conn_send(house, conn, make_own_tables_message(house, conn->person));
    }
}

/* Sends snapshots to waiting connections while the rate limit allows it. */
static void send_waiting_snapshots(struct house *house)
{
    struct conn *conn = NULL;
    while ((conn = first_conn_awaiting_snapshot(house)) != NULL &&
           (conn->awaits_hello || rate_limit_allows_snapshot(house, conn))) {
        leave_list(house, conn);
        if (!conn->awaits_hello) { /* else its next `hello` queues it again */
            send_snapshot(house, conn);
            join_list(&lobby_of(house)->followers, conn);
        }
    }
}

static void send_changed_rows(struct house *house)
{
    if (!TAILQ_EMPTY(&lobby_of(house)->followers) || !TAILQ_EMPTY(&lobby_of(house)->waiting)) {
        table_eligibility_send_changes(house); /* a person must learn which tables they may not
                                                  see before they get rows of those tables */
    }
    lobby_rows_update_all(house);
    persons_of(house)->has_changed = false;
    const struct lobby_rows *rows = &lobby_of(house)->rows;
    if (TAILQ_EMPTY(&lobby_of(house)->followers)) {
        (void)json_array_clear(rows->gone_people);
        (void)json_array_clear(rows->gone_tables);
    } else {
        struct lobby_message message = {.house = house};
        send_newer_rows(&message, lobby_of(house)->sent_version);
    }
    lobby_of(house)->sent_version = rows->version;
    lobby_of(house)->sent_ms = house->now_ms;
}

static void send_due_changes(struct house *house)
{
    friends_announce_due_arrivals(house);
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

static int64_t lobby_next_ms(const struct house *house)
{
    int64_t idle_ms = next_idle_check_ms(house);
    int64_t arrivals_ms = lobby_of(house)->arrivals_due_ms;
    int64_t next_ms = idle_ms < arrivals_ms ? idle_ms : arrivals_ms;
    int64_t push_ms = !TAILQ_EMPTY(&lobby_of(house)->waiting) ? house->now_ms + PACE_LOBBY_WAIT_MS
                      : lobby_has_changes(house) ? lobby_of(house)->sent_ms + PACE_LOBBY_MS
                                                 : INT64_MAX;
    return next_ms < push_ms ? next_ms : push_ms;
}

const struct part lobby_part = {
    .name = "lobby",
    .house_size = sizeof(struct lobby),
    .conn_size = sizeof(struct lobby_conn),
    .load = load_lobby,
    .clear = clear_lobby,
    .works_when_full = true,
    .tick = refresh_idle_times,
    .next_ms = lobby_next_ms,
    .flush = send_due_changes,
    .tell_now = send_changes_now,
    .hello = send_lobby_at_hello,
    .conn_gone = leave_list,
};
