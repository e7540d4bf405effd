#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The lists of people and tables in the lobby, as one person sees them: filtered, sorted, and cut
 * to a window of a few rows. PROTOCOL.md ("The lobby") describes the lists and the fields of a
 * query.
 */

#define LIST_MAX 1000000    /* maximum position in a list that a query may name */
#define WINDOW_ROWS_MAX 100 /* maximum number of rows of one window */
#define WINDOW_BYTES (PAYLOAD_MAX - 1024)
#define FILTER_SIZE 65

enum list {
    LIST_PEOPLE,
    LIST_TABLES,
    LIST_COUNT,
};

static const char *const list_keys[LIST_COUNT] = {"people", "tables"};

/* Which rows of a list are wanted; the members of the other list are 0. */
struct query {
    uint32_t first, count;
    char at[STORAGE_NAME_SIZE]; /* the window is moved to contain this person, if listed; "": no */
    char start[STORAGE_NAME_SIZE]; /* only people whose names begin with this text; "": all */
    int64_t at_table; /* the window is moved to contain this table, if the list has it; 0: no */
    uint64_t games;   /* bit i: tables of game_at(i) pass the filter */
    uint8_t show, sort;
    char filter[FILTER_SIZE]; /* only tables that contain this text; "": all */
};

/* The wanted rows as members of a JSON object. */
struct window {
    char totals[256]; /* the position of the window and the lengths of the lists */
    struct text rows; /* the rows; the text has room for WINDOW_BYTES */
    struct query query;
    bool is_common; /* everybody without friends who has the same query sees these rows */
};

enum tables_show {
    SHOW_ALL,
    SHOW_OPEN, /* tables with a free seat */
    SHOW_PLAYING,
    SHOW_MINE,    /* tables at which the person has a seat */
    SHOW_WAITING, /* tables that wait for the person's move */
};

enum tables_sort {
    SORT_USEFUL, /* the person's own tables first, then open, running and finished ones */
    SORT_NEWEST,
    SORT_GAME,
    SORT_WATCHED, /* most spectators first */
};

static const char *const show_words[] = {"all", "open", "playing", "mine", "waiting", NULL};
static const char *const sort_words[] = {"useful", "newest", "game", "watched", NULL};

/* Copies an optional text; false if it is no text or too long. */
static bool read_optional_text(const json_t *object, const char *key, char *out, size_t size)
{
    const char *text = json_read_text(object, key, size - 1);
    (void)snprintf(out, size, "%s", text == NULL ? "" : text);
    return text != NULL || json_read_key_is_absent(object, key);
}

static uint64_t read_games(const json_t *list)
{
    uint64_t games = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_string_value(json_array_get(list, i));
        for (uint8_t game = 0; id != NULL && game < game_count() && game < 64; game++) {
            games |= strcmp(game_at(game)->id, id) == 0 ? UINT64_C(1) << game : 0;
        }
    }
    return games;
}

/* Reads what is wanted of a list; false, with *query undefined, if a field is invalid. */
static bool read_query(enum list list, const json_t *object, struct query *query)
{
    int64_t first = 0;
    int64_t count = WINDOW_ROWS_MAX;
    *query = (struct query){0};
    if (!json_is_object(object) ||
        !json_read_optional_number(object, "first", 0, LIST_MAX, &first) ||
        !json_read_optional_number(object, "count", 0, WINDOW_ROWS_MAX, &count)) {
        return false;
    }
    query->first = (uint32_t)first;
    query->count = (uint32_t)count;
    if (list == LIST_PEOPLE) {
        bool is_good = read_optional_text(object, "at", query->at, JSON_NAME_MAX + 1) &&
                       read_optional_text(object, "start", query->start, JSON_NAME_MAX + 1);
        name_to_lower(query->at);
        name_to_lower(query->start);
        return is_good;
    }
    int show = json_read_word(object, "show", show_words, SHOW_ALL);
    int sort = json_read_word(object, "sort", sort_words, SORT_USEFUL);
    query->show = (uint8_t)show;
    query->sort = (uint8_t)sort;
    query->games = read_games(json_object_get(object, "games"));
    return show >= 0 && sort >= 0 &&
           json_read_optional_number(object, "at", 0, INT64_MAX, &query->at_table) &&
           read_optional_text(object, "filter", query->filter, sizeof(query->filter));
}

/* True if the queries want the same rows. */
static bool is_same_query(const struct query *a, const struct query *b)
{
    return a->first == b->first && a->count == b->count && strcmp(a->at, b->at) == 0 &&
           strcmp(a->start, b->start) == 0 && a->at_table == b->at_table && a->games == b->games &&
           a->show == b->show && a->sort == b->sort && strcmp(a->filter, b->filter) == 0;
}

/* Returns the position at which the window of a list of this length begins: so that the row at
 * `position` (SIZE_MAX: none) stands in its middle if possible, and that it is full if possible. */
static uint32_t place_window(const struct query *query, size_t length, size_t position)
{
    size_t first = position == SIZE_MAX          ? query->first
                   : position < query->count / 2 ? 0
                                                 : position - query->count / 2;
    if (first + query->count > length) {
        first = length > query->count ? length - query->count : 0;
    }
    return (uint32_t)first;
}

/* Appends a row to the list; false if the text has no room for it. */
static bool append_row(struct text *rows, const char *row, bool is_first)
{
    size_t len = strlen(row);
    if (rows->len + len + 2 >= WINDOW_BYTES) {
        return false;
    }
    text_put(rows, is_first ? "" : ",");
    text_put_bytes(rows, row, len);
    return true;
}

/* A row in somebody's list; the other members are those of a table. */
struct listed {
    const char *text;
    const struct table_row *row;
    bool has_seat, is_turn; /* the person has a seat there; the table waits for their move */
};

/* A list as somebody sees it. */
struct listing {
    struct listed *rows;
    size_t count;
    size_t at; /* the position at which the window stays; SIZE_MAX: none */
};

/* Adds the people whose names begin with query->start: friends, or all others. A list of names that
 * begin with a text has no friends apart. */
static void add_people(const struct house *house, const struct person *person,
                       const struct query *query, bool are_friends, struct listing *listing)
{
    const struct lobby_rows *rows = &lobby_of(house)->rows;
    size_t start_len = strlen(query->start);
    for (size_t i = 0; i < rows->people_count; i++) {
        const struct lobby_person_row *row = rows->people[i];
        bool is_friend = start_len == 0 && friends_include_account(person, row->account);
        if (is_friend != are_friends || strncmp(row->name, query->start, start_len) != 0) {
            continue;
        }
        if (query->at[0] != '\0' && strcmp(row->name, query->at) == 0) {
            listing->at = listing->count;
        }
        listing->rows[listing->count++].text = row->text;
    }
}

/* True if lists leave the table out: nobody may enter it without an invitation. */
static bool table_is_hidden(struct house *house, const struct table *table, struct person *person)
{
    return table->row.state == STORAGE_TABLE_OPEN &&
           !table_eligibility_admits(house, table, person, NULL);
}

static bool table_is_shown(const struct query *query, const struct listed *listed)
{
    const struct table_row *row = listed->row;
    switch ((enum tables_show)query->show) {
    case SHOW_OPEN:
        return row->phase == TABLE_OPEN && row->seated < row->players;
    case SHOW_PLAYING:
        return row->phase == TABLE_PLAYING;
    case SHOW_MINE:
        return listed->has_seat;
    case SHOW_WAITING:
        return listed->is_turn;
    case SHOW_ALL:
        break;
    }
    return true;
}

/* True if the table's number, game or host contains the filter's text. */
static bool table_passes_filter(const struct query *query, const struct table_row *row)
{
    char text[192];
    if (query->filter[0] == '\0') {
        return true;
    }
    for (uint8_t i = 0; i < game_count() && i < 64; i++) {
        if (game_at(i) == row->game && (query->games & UINT64_C(1) << i) != 0) {
            return true;
        }
    }
    (void)snprintf(text, sizeof(text), "#%" PRId64 " %s %s", row->id, row->game->title, row->host);
    return strcasestr(text, query->filter) != NULL;
}

/* Returns the group of the list in which a table stands, from 0 at the top: the person's own tables
 * that wait for a move, the person's other tables, open, full, running, finished. */
static int compute_group(const struct listed *listed)
{
    const struct table_row *row = listed->row;
    if (listed->has_seat) {
        return listed->is_turn ? 0 : 1;
    }
    if (row->phase == TABLE_OPEN) {
        return row->seated < row->players ? 2 : 3;
    }
    return row->phase == TABLE_PLAYING ? 4 : 5;
}

static int compare_tables(const void *left, const void *right, void *context)
{
    const enum tables_sort sort = *(const enum tables_sort *)context;
    const struct listed *a = left;
    const struct listed *b = right;
    const struct table_row *row_a = a->row;
    const struct table_row *row_b = b->row;
    int difference = 0;
    if (sort == SORT_USEFUL) {
        difference = compute_group(a) - compute_group(b);
    } else if (sort == SORT_GAME) {
        difference = strcmp(row_a->game->title, row_b->game->title);
    } else if (sort == SORT_WATCHED) {
        difference = row_b->watchers - row_a->watchers;
    }
    return difference != 0 ? difference : row_a->id > row_b->id ? -1 : row_a->id < row_b->id;
}

/* Collects the tables that the person sees. */
static void collect_tables(struct house *house, struct person *person, const struct query *query,
                           struct listing *listing)
{
    TABLES_EACH(table, house) {
        const struct lobby_table *lobby = &table->lobby;
        int seat = table_seat_of(table, person);
        struct listed listed = {lobby->text, &lobby->row, seat >= 0,
                                seat >= 0 && table_waits_for_seat(table, seat)};
        if (lobby->text != NULL && table_is_shown(query, &listed) &&
            table_passes_filter(query, &lobby->row) &&
            (listed.has_seat || !table_is_hidden(house, table, person))) {
            listing->rows[listing->count++] = listed;
        }
    }
    enum tables_sort sort = (enum tables_sort)query->sort;
    qsort_r(listing->rows, listing->count, sizeof(*listing->rows), compare_tables, &sort);
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->rows[i].row->id == query->at_table) {
            listing->at = i;
        }
    }
}

/* Writes the window of a list that this person sees. `rows` of the window must have been
 * initialised; its text is replaced. If the rows are longer than WINDOW_BYTES, the last ones are
 * left out. */
static void write_list(struct house *house, struct person *person, enum list list,
                       const struct query *query, struct window *window)
{
    const struct lobby_rows *lobby = &lobby_of(house)->rows;
    size_t most = list == LIST_PEOPLE ? lobby->people_count : index_count(&tables_of(house)->by_id);
    struct listing listing = {.rows = memory_new((most + 1) * sizeof(*listing.rows)),
                              .at = SIZE_MAX};
    if (list == LIST_PEOPLE) {
        add_people(house, person, query, true, &listing);
        add_people(house, person, query, false, &listing);
    } else {
        collect_tables(house, person, query, &listing);
    }
    uint32_t first =
        query->start[0] != '\0' ? query->first : place_window(query, listing.count, listing.at);
    window->rows.len = 0;
    text_put(&window->rows, list == LIST_PEOPLE ? "\"people\":[" : "\"tables\":[");
    for (size_t i = first; i < listing.count && i < (size_t)first + query->count; i++) {
        if (!append_row(&window->rows, listing.rows[i].text, i == first)) {
            break;
        }
    }
    text_put_char(&window->rows, ']');
    (void)snprintf(
        window->totals, sizeof(window->totals),
        list == LIST_PEOPLE ? "\"here\":%zu,\"people_count\":%zu,\"people_first\":%" PRIu32
                            : "\"tables_all\":%zu,\"tables_count\":%zu,\"tables_first\":%" PRIu32,
        list == LIST_PEOPLE ? lobby->people_count - lobby->bot_count : lobby->table_count,
        listing.count, first);
    free(listing.rows);
}

/*
 * Windows of the lobby. A session is sent the rows of people and tables that its screen shows, and
 * nothing while it shows none. Changes are sent to a few sessions at a time, those that wait
 * longest first, at a pace that does not depend on how many sessions look at the lobby, so that not
 * all of them draw at the same moment. If only the length of a list has changed, which in a crowd
 * happens all the time, the connection waits longer, because each change makes its session draw.
 */

#define PASS_MAX 32 /* to how many connections one pass sends changes */

/* A window as it was sent. */
struct sent_window {
    uint64_t totals, rows; /* hashes of the texts of struct window; 0: never sent */
};

struct window_conn {
    bool is_watching;
    struct conn_link link;  /* link in the list `watchers` */
    int64_t sent_ms;        /* when a pass last sent the windows' changes, if any */
    uint64_t version;       /* the version of the lobby at that time */
    int64_t totals_ms;      /* when a message last told the lengths of lists */
    bool is_stale;          /* the lengths of lists have changed since */
    bool shows[LIST_COUNT]; /* which lists the connection is sent */
    struct query queries[LIST_COUNT];
    struct sent_window sent[LIST_COUNT];
};

struct windows {
    struct conn_links watchers; /* the connection whose sent_ms is oldest comes first */
    int64_t watcher_count;
    int64_t stale_count;  /* how many watchers are stale */
    int64_t next_pass_ms; /* when the next pass may send changes */
};

PART_STATE(windows_of, struct windows, lobby_windows);

CONN_STATE(window_of_conn, struct window_conn, lobby_windows);

static void init_windows(struct house *house)
{
    struct windows *windows = windows_of(house);
    windows->watcher_count = 0;
    windows->stale_count = 0;
    TAILQ_INIT(&windows->watchers);
}

static void set_stale(struct house *house, struct conn *conn, bool is_stale)
{
    struct window_conn *window = window_of_conn(conn);
    windows_of(house)->stale_count += is_stale - window->is_stale;
    window->is_stale = is_stale;
}

static void stop_watching(struct house *house, struct conn *conn)
{
    struct window_conn *window = window_of_conn(conn);
    if (window->is_watching) {
        TAILQ_REMOVE(&windows_of(house)->watchers, &window->link, in_list);
        windows_of(house)->watcher_count--;
        set_stale(house, conn, false);
        memset(window, 0, sizeof(*window));
    }
}

static void start_watching(struct house *house, struct conn *conn, const struct window_conn *wanted)
{
    struct window_conn *window = window_of_conn(conn);
    *window = *wanted;
    window->is_watching = true;
    window->link.conn = conn;
    TAILQ_INSERT_TAIL(&windows_of(house)->watchers, &window->link, in_list);
    windows_of(house)->watcher_count++;
}

static uint64_t hash_text(const char *text, size_t len)
{
    static const uint8_t key[crypto_shorthash_KEYBYTES] = {0}; /* nobody chooses rows to collide */
    uint64_t hash = 0;
    (void)crypto_shorthash((uint8_t *)&hash, (const uint8_t *)text, len, key);
    return hash == 0 ? 1 : hash;
}

/* Writes windows for one connection after the other. */
struct writer {
    struct house *house;
    struct window windows[LIST_COUNT]; /* as last written */
    struct text message;
};

static struct writer writer_init(struct house *house)
{
    return (struct writer){
        .house = house,
        .windows[LIST_PEOPLE].rows = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX),
        .windows[LIST_TABLES].rows = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX),
        .message = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX),
    };
}

static void writer_clear(struct writer *writer)
{
    for (int list = 0; list < LIST_COUNT; list++) {
        free(writer->windows[list].rows.at);
    }
    free(writer->message.at);
}

/* Writes the window of a list that this person sees, unless it is the one that was last written for
 * somebody else: in a crowd most people look at the same part of a long list. */
static const struct window *write_window(struct writer *writer, struct person *person,
                                         enum list list, const struct query *query)
{
    struct window *window = &writer->windows[list];
    bool is_common = list == LIST_PEOPLE && !friends_exist(person);
    if (!is_common || !window->is_common || !is_same_query(&window->query, query)) {
        write_list(writer->house, person, list, query, window);
        window->query = *query;
        window->is_common = is_common;
    }
    return window;
}

/* Writes the members of the window, without its rows if they are not wanted. */
static void write_members(struct writer *writer, const struct window *window, const char *begin,
                          bool has_rows)
{
    struct text *message = &writer->message;
    message->len = 0;
    text_put(message, begin);
    text_put(message, window->totals);
    if (has_rows) {
        text_put_char(message, ',');
        text_put_bytes(message, window->rows.at, window->rows.len);
    }
    text_put_char(message, '}');
}

/* True if a connection may be told of lists whose lengths alone have changed. */
static bool totals_are_due(const struct house *house, const struct conn *conn)
{
    int64_t pace_ms = windows_of(house)->watcher_count * PACE_TOTALS_EACH_MS;
    pace_ms = pace_ms < PACE_TOTALS_MS_MAX ? pace_ms : PACE_TOTALS_MS_MAX;
    return window_of_conn(conn)->totals_ms + pace_ms <= house->now_ms;
}

/* Sends what has changed in a window since it was last sent. */
static void send_window(struct writer *writer, struct conn *conn, enum list list, bool sends_totals)
{
    struct window_conn *state = window_of_conn(conn);
    const struct window *window = write_window(writer, conn->person, list, &state->queries[list]);
    struct sent_window now = {hash_text(window->totals, strlen(window->totals)),
                              hash_text(window->rows.at, window->rows.len)};
    bool has_new_rows = state->sent[list].rows != now.rows;
    if (!has_new_rows && state->sent[list].totals == now.totals) {
        return;
    }
    if (!has_new_rows && !sends_totals) {
        set_stale(writer->house, conn, true);
        return;
    }
    write_members(writer, window, "{\"t\":\"lobby\",", has_new_rows);
    struct payload *payload = payload_new(writer->message.at, writer->message.len);
    conn_send_payload(writer->house, conn, payload);
    payload_release(payload);
    state->totals_ms = writer->house->now_ms;
    state->sent[list] = now;
}

/* Records that the connection was sent its windows' changes: it now comes last. */
static void note_sent_changes(struct house *house, struct conn *conn)
{
    struct window_conn *window = window_of_conn(conn);
    struct conn_links *watchers = &windows_of(house)->watchers;
    window->version = lobby_of(house)->rows.version;
    window->sent_ms = house->now_ms;
    TAILQ_REMOVE(watchers, &window->link, in_list);
    TAILQ_INSERT_TAIL(watchers, &window->link, in_list);
}

static void send_windows(struct writer *writer, struct conn *conn, bool sends_totals)
{
    set_stale(writer->house, conn, false);
    for (int list = 0; list < LIST_COUNT; list++) {
        if (window_of_conn(conn)->shows[list]) {
            send_window(writer, conn, (enum list)list, sends_totals);
        }
    }
    note_sent_changes(writer->house, conn);
}

/* Returns the connection whose windows are oldest; NULL if nobody has a window. */
static struct conn *first_watcher(const struct house *house)
{
    const struct conn_links *watchers = &windows_of(house)->watchers;
    return TAILQ_EMPTY(watchers) ? NULL : TAILQ_FIRST(watchers)->conn;
}

/* True if the lobby has changed since the connection's windows were up to date, or if some
 * connection, which may come later in the list of watchers, still waits for changes. */
static bool may_have_changes(const struct house *house, const struct conn *conn)
{
    return window_of_conn(conn)->version != lobby_of(house)->rows.version ||
           windows_of(house)->stale_count > 0;
}

static int64_t next_pass_ms(const struct house *house)
{
    const struct conn *oldest = first_watcher(house);
    if (oldest == NULL || !(may_have_changes(house, oldest) || lobby_rows_are_outdated(house))) {
        return INT64_MAX;
    }
    int64_t due_ms = window_of_conn(oldest)->sent_ms + PACE_WINDOWS_MS;
    int64_t pass_ms = windows_of(house)->next_pass_ms;
    return due_ms > pass_ms ? due_ms : pass_ms;
}

/* Returns the connection that has waited longest; NULL if none has waited for the pace, or all are
 * up to date. */
static struct conn *first_waiting_watcher(const struct house *house)
{
    struct conn *conn = first_watcher(house);
    bool is_waiting = conn != NULL && may_have_changes(house, conn) &&
                      window_of_conn(conn)->sent_ms + PACE_WINDOWS_MS <= house->now_ms;
    return is_waiting ? conn : NULL;
}

/* Sends changes to the connections that have waited longest. Returns for how many it has looked for
 * changes. */
static int64_t send_changed_windows(struct house *house)
{
    lobby_rows_update_all(house);
    struct writer writer = writer_init(house);
    int64_t count = 0;
    struct conn *conn = NULL;
    for (; count < PASS_MAX && (conn = first_waiting_watcher(house)) != NULL; count++) {
        if (conn->awaits_hello) { /* it is asked again for its windows */
            stop_watching(house, conn);
        } else {
            send_windows(&writer, conn, totals_are_due(house, conn));
        }
    }
    writer_clear(&writer);
    return count;
}

static void send_due_windows(struct house *house)
{
    if (next_pass_ms(house) <= house->now_ms) {
        int64_t count = send_changed_windows(house);
        windows_of(house)->next_pass_ms = house->now_ms + count * PACE_WINDOWS_EACH_US / 1000;
    }
}

/* Reads what is wanted of the lists; false if a field is invalid. */
static bool read_queries(const json_t *body, struct window_conn *window)
{
    bool is_good = true;
    for (int list = 0; list < LIST_COUNT && is_good; list++) {
        window->shows[list] = !json_read_key_is_absent(body, list_keys[list]);
        is_good = !window->shows[list] ||
                  read_query((enum list)list, json_object_get(body, list_keys[list]),
                             &window->queries[list]);
    }
    return is_good;
}

/* Keeps the hashes of a list that the connection has been sent, if it asks for the same again. */
static void keep_hashes(struct window_conn *window, const struct window_conn *before)
{
    for (int list = 0; list < LIST_COUNT; list++) {
        if (window->shows[list] && before->shows[list] &&
            is_same_query(&window->queries[list], &before->queries[list])) {
            window->sent[list] = before->sent[list];
        }
    }
}

static void refuse_query(const struct request *request)
{
    answer_no(request, "bad", _("The lobby has no such list: update your program."));
}

void message_lobby_watch(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct window_conn *window = window_of_conn(conn);
    struct window_conn wanted = {0};
    if (!read_queries(request->body, &wanted)) {
        refuse_query(request);
        return;
    }
    keep_hashes(&wanted, window);
    stop_watching(house, conn);
    answer_ok(request, NULL);
    if (!wanted.shows[LIST_PEOPLE] && !wanted.shows[LIST_TABLES]) {
        return;
    }
    start_watching(house, conn, &wanted);
    lobby_rows_update_people(house);
    struct writer writer = writer_init(house);
    send_windows(&writer, conn, true);
    writer_clear(&writer);
}

/* Answers a look at a list with the members of its window. */
static void answer_look(const struct request *request, enum list list)
{
    struct query query;
    if (!read_query(list, request->body, &query)) {
        refuse_query(request);
        return;
    }
    struct writer writer = writer_init(request->house);
    write_members(&writer, write_window(&writer, request->conn->person, list, &query), "{", true);
    answer_ok(request,
              memory_check_allocated(json_loadb(writer.message.at, writer.message.len, 0, NULL)));
    writer_clear(&writer);
}

void message_people(const struct request *request)
{
    lobby_rows_update_people(request->house);
    answer_look(request, LIST_PEOPLE);
}

void message_tables(const struct request *request)
{
    lobby_rows_update_all(request->house);
    answer_look(request, LIST_TABLES);
}

const struct part lobby_windows_part = {
    .name = "lobby-windows",
    .house_size = sizeof(struct windows),
    .conn_size = sizeof(struct window_conn),
    .load = init_windows,
    .works_when_full = true,
    .next_ms = next_pass_ms,
    .flush = send_due_windows,
    .hello = stop_watching,
    .conn_gone = stop_watching,
};
