#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
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

/* Which rows of a list are wanted; the members of the other list are 0. Two people with the same
 * query get the same rows if their own state does not matter (list_is_personal). */
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

/* The list of people as somebody sees it: friends first, then all others. */
struct people_list {
    const struct lobby_rows *rows;
    size_t friends[LIMIT_FRIENDS]; /* the positions of friends in rows->people, ascending */
    size_t friend_count;
};

static int compare_sizes(const void *left, const void *right)
{
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

/* Returns the listed person with this account; NULL: there is none. */
static const struct lobby_person_row *lobby_rows_find_account(const struct lobby_rows *rows,
                                                              int64_t account)
{
    return index_find(&rows->by_account, &account, sizeof(account));
}

static void find_friends(const struct person *person, struct people_list *list)
{
    const struct friends *friends = friends_of(person);
    for (size_t i = 0; i < friends->count && list->friend_count < LIMIT_FRIENDS; i++) {
        const struct lobby_person_row *row =
            lobby_rows_find_account(list->rows, friends->accounts[i]);
        if (row != NULL) {
            list->friends[list->friend_count++] = lobby_rows_rank_of_name(list->rows, row->name);
        }
    }
    qsort(list->friends, list->friend_count, sizeof(list->friends[0]), compare_sizes);
}

static struct people_list make_people_list(const struct house *house, const struct person *person)
{
    struct people_list list = {.rows = lobby_rows_of(house)};
    find_friends(person, &list);
    return list;
}

/* Returns the index in rows->people of the person at this position of the list. */
static size_t index_of_position(const struct people_list *list, size_t position)
{
    if (position < list->friend_count) {
        return list->friends[position];
    }
    size_t index = position - list->friend_count;
    for (size_t i = 0; i < list->friend_count && list->friends[i] <= index; i++) {
        index++; /* friends stand above, so their places among the others are skipped */
    }
    return index;
}

/* Returns the position in the list of the person with this name; SIZE_MAX if they are not listed.
 */
static size_t position_of_name(const struct people_list *list, const char *name)
{
    const struct lobby_rows *rows = list->rows;
    size_t index = lobby_rows_rank_of_name(rows, name);
    if (index == rows->people_count || strcmp(rows->people[index]->name, name) != 0) {
        return SIZE_MAX;
    }
    size_t position = index + list->friend_count;
    for (size_t i = 0; i < list->friend_count && list->friends[i] <= index; i++) {
        if (list->friends[i] == index) {
            return i;
        }
        position--;
    }
    return position;
}

static void write_people_totals(const struct lobby_rows *rows, size_t count, uint32_t first,
                                struct window *window)
{
    text_put_char(&window->rows, ']');
    (void)snprintf(window->totals, sizeof(window->totals),
                   "\"here\":%zu,\"people_count\":%zu,\"people_first\":%" PRIu32,
                   rows->people_count - rows->bot_count, count, first);
}

/* Writes the wanted rows of the people whose names begin with query->start. */
static void write_people_by_start(const struct lobby_rows *rows, const struct query *query,
                                  struct window *window)
{
    size_t count = 0;
    bool has_room = true;
    for (size_t i = 0; i < rows->people_count; i++) {
        if (strncmp(rows->people[i]->name, query->start, strlen(query->start)) != 0) {
            continue;
        }
        if (count >= query->first && count < (size_t)query->first + query->count) {
            has_room =
                has_room && append_row(&window->rows, rows->people[i]->text, count == query->first);
        }
        count++;
    }
    write_people_totals(rows, count, query->first, window);
}

static void write_people_around(const struct people_list *list, const struct query *query,
                                struct window *window)
{
    size_t count = list->rows->people_count;
    uint32_t first = place_window(
        query, count, query->at[0] == '\0' ? SIZE_MAX : position_of_name(list, query->at));
    for (size_t i = first; i < count && i < (size_t)first + query->count; i++) {
        if (!append_row(&window->rows, list->rows->people[index_of_position(list, i)]->text,
                        i == first)) {
            break;
        }
    }
    write_people_totals(list->rows, count, first, window);
}

static void write_people(const struct house *house, const struct person *person,
                         const struct query *query, struct window *window)
{
    window->rows.len = 0;
    text_put(&window->rows, "\"people\":[");
    if (query->start[0] != '\0') {
        write_people_by_start(lobby_rows_of(house), query, window);
    } else {
        struct people_list list = make_people_list(house, person);
        write_people_around(&list, query, window);
    }
}

/* A table in somebody's list. */
struct listed_table {
    const struct table *table;
    const struct lobby_table *lobby;
    bool has_seat, is_turn; /* the person has a seat there; the table waits for their move */
};

/* True if lists leave the table out: nobody may enter it without an invitation. */
static bool table_is_hidden(struct house *house, const struct table *table, struct person *person)
{
    return table->row.state == STORAGE_TABLE_OPEN &&
           !table_eligibility_admits(house, table, person, NULL);
}

static bool table_is_shown(const struct query *query, const struct listed_table *listed)
{
    const struct table_row *row = &listed->lobby->row;
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
static int compute_group(const struct listed_table *listed)
{
    const struct table_row *row = &listed->lobby->row;
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
    const struct listed_table *a = left;
    const struct listed_table *b = right;
    const struct table_row *row_a = &a->lobby->row;
    const struct table_row *row_b = &b->lobby->row;
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

/* Collects the tables that the person sees, in an array of the caller's, which has room for all
 * tables. Returns how many. */
static size_t collect_tables(struct house *house, struct person *person, const struct query *query,
                             struct listed_table *tables)
{
    size_t count = 0;
    TABLES_EACH(table, house) {
        const struct lobby_table *lobby = &table->lobby;
        int seat = table_seat_of(table, person);
        struct listed_table listed = {table, lobby, seat >= 0,
                                      seat >= 0 && table_waits_for_seat(table, seat)};
        if (lobby->text != NULL && table_is_shown(query, &listed) &&
            table_passes_filter(query, &lobby->row) &&
            (listed.has_seat || !table_is_hidden(house, table, person))) {
            tables[count++] = listed;
        }
    }
    enum tables_sort sort = (enum tables_sort)query->sort;
    qsort_r(tables, count, sizeof(*tables), compare_tables, &sort);
    return count;
}

static void write_tables(struct house *house, struct person *person, const struct query *query,
                         struct window *window)
{
    struct listed_table *tables =
        memory_new((1 + index_count(&tables_of(house)->by_id)) * sizeof(*tables));
    size_t count = collect_tables(house, person, query, tables);
    size_t position = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        position = tables[i].lobby->row.id == query->at_table ? i : position;
    }
    uint32_t first = place_window(query, count, position);
    window->rows.len = 0;
    text_put(&window->rows, "\"tables\":[");
    for (size_t i = first; i < count && i < (size_t)first + query->count; i++) {
        if (!append_row(&window->rows, tables[i].lobby->text, i == first)) {
            break;
        }
    }
    text_put_char(&window->rows, ']');
    (void)snprintf(window->totals, sizeof(window->totals),
                   "\"tables_all\":%zu,\"tables_count\":%zu,\"tables_first\":%" PRIu32,
                   lobby_rows_of(house)->table_count, count, first);
    free(tables);
}

/* Writes the window of a list that this person sees. `rows` of the window must have been
 * initialised; its text is replaced. If the rows are longer than WINDOW_BYTES, the last ones are
 * left out. */
static void write_list(struct house *house, struct person *person, enum list list,
                       const struct query *query, struct window *window)
{
    if (list == LIST_PEOPLE) {
        write_people(house, person, query, window);
    } else {
        write_tables(house, person, query, window);
    }
}

static bool has_listed_friend(const struct house *house, const struct person *person)
{
    const struct friends *friends = friends_of(person);
    for (size_t i = 0; i < friends->count; i++) {
        if (lobby_rows_find_account(lobby_rows_of(house), friends->accounts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* True if the person may see other people, or other tables, at a position than somebody with the
 * same query: they have friends in the house, or a seat, or some table does not admit everybody. */
static bool list_is_personal(struct house *house, const struct person *person, enum list list)
{
    if (list == LIST_PEOPLE) {
        return has_listed_friend(house, person);
    }
    if (blocks_keep_person_apart(person)) {
        return true;
    }
    TABLES_EACH(table, house) {
        struct eligibility rule = table_eligibility_rule(table);
        if (table_seat_of(table, person) >= 0 ||
            (table->row.state == STORAGE_TABLE_OPEN && eligibility_has_conditions(&rule))) {
            return true;
        }
    }
    return false;
}

/*
 * Windows of the lobby. A session is sent the rows of people and tables that its screen shows, and
 * nothing while it shows none. Changes are sent to a few sessions at a time, those that wait
 * longest first, at a pace that does not depend on how many sessions look at the lobby: what the
 * house spends on its lists does not grow with the number of people in it, and not all sessions
 * draw at the same moment. If only the length of a list has changed, which in a crowd happens all
 * the time, the connection waits longer, because each change makes its session draw. Sessions that
 * see the same rows in one pass share a payload.
 */

#define SHARED_MAX 32 /* how many different windows are kept during a pass, for others to share */
#define PASS_MAX 32   /* to how many connections one pass sends changes */

/* A window as it was sent, or is about to be sent. */
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

/* A window that several connections may share. */
struct shared_window {
    enum list list;
    struct query query;
    struct sent_window hashes;
    struct payload *whole, *totals; /* the message with rows, and without them */
};

struct windows {
    struct conn_links watchers; /* the connection whose sent_ms is oldest comes first */
    int64_t watcher_count;
    int64_t stale_count;  /* how many watchers are stale */
    int64_t next_pass_ms; /* when the next pass may send changes */
};

PART_STATE(windows_of, struct windows, lobby_windows);

CONN_STATE(window_of_conn, struct window_conn, lobby_windows);

/* Forgets all watchers: at first, and when the house is rebuilt. */
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

/* Makes the message `lobby` with a window's totals and, unless `rows` is NULL, its rows. */
static struct payload *make_message(struct text *buffer, const char *totals,
                                    const struct text *rows)
{
    buffer->len = 0;
    text_put(buffer, "{\"t\":\"lobby\",");
    text_put(buffer, totals);
    if (rows != NULL) {
        text_put_char(buffer, ',');
        text_put_bytes(buffer, rows->at, rows->len);
    }
    text_put_char(buffer, '}');
    return payload_new(buffer->at, buffer->len);
}

/* The windows that are written in one pass, and the memory for writing them. */
struct pass {
    struct house *house;
    bool sends_totals; /* changes of a list's length alone are sent to the connection now served */
    struct window window;
    struct text message;
    struct shared_window shared[SHARED_MAX];
    size_t shared_count;
};

static struct pass *pass_new(struct house *house)
{
    struct pass *pass = memory_new(sizeof(*pass));
    pass->house = house;
    pass->window.rows = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX);
    pass->message = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX);
    return pass;
}

static void release_payloads(struct shared_window *shared)
{
    payload_release(shared->whole);
    payload_release(shared->totals);
}

static void pass_free(struct pass *pass)
{
    for (size_t i = 0; i < pass->shared_count; i++) {
        release_payloads(&pass->shared[i]);
    }
    free(pass->window.rows.at);
    free(pass->message.at);
    free(pass);
}

/* Writes the window of a connection. The payloads belong to the caller (release_payloads). */
static struct shared_window write_window(struct pass *pass, const struct conn *conn, enum list list)
{
    struct window *window = &pass->window;
    struct shared_window made = {.list = list, .query = window_of_conn(conn)->queries[list]};
    write_list(pass->house, conn->person, list, &made.query, window);
    made.hashes = (struct sent_window){hash_text(window->totals, strlen(window->totals)),
                                       hash_text(window->rows.at, window->rows.len)};
    made.whole = make_message(&pass->message, window->totals, &window->rows);
    made.totals = make_message(&pass->message, window->totals, NULL);
    return made;
}

/* True if a connection may be told of lists whose lengths alone have changed. */
static bool totals_are_due(const struct house *house, const struct conn *conn)
{
    int64_t pace_ms = windows_of(house)->watcher_count * PACE_TOTALS_EACH_MS;
    pace_ms = pace_ms < PACE_TOTALS_MS_MAX ? pace_ms : PACE_TOTALS_MS_MAX;
    return window_of_conn(conn)->totals_ms + pace_ms <= house->now_ms;
}

/* Sends what has changed in the window since it was last sent. */
static void send_changes(const struct pass *pass, struct conn *conn,
                         const struct shared_window *window)
{
    struct house *house = pass->house;
    struct sent_window *sent = &window_of_conn(conn)->sent[window->list];
    bool has_new_rows = sent->rows != window->hashes.rows;
    if (!has_new_rows && sent->totals == window->hashes.totals) {
        return;
    }
    if (!has_new_rows && !pass->sends_totals) {
        set_stale(house, conn, true);
        return;
    }
    conn_send_payload(house, conn, has_new_rows ? window->whole : window->totals);
    window_of_conn(conn)->totals_ms = house->now_ms;
    *sent = window->hashes;
}

/* Finds the window that others with the same query see, or writes it. Returns NULL if no more
 * windows can be kept. */
static const struct shared_window *find_shared_window(struct pass *pass, const struct conn *conn,
                                                      enum list list)
{
    for (size_t i = 0; i < pass->shared_count; i++) {
        if (pass->shared[i].list == list &&
            is_same_query(&pass->shared[i].query, &window_of_conn(conn)->queries[list])) {
            return &pass->shared[i];
        }
    }
    if (pass->shared_count == SHARED_MAX) {
        return NULL;
    }
    pass->shared[pass->shared_count] = write_window(pass, conn, list);
    return &pass->shared[pass->shared_count++];
}

/* Writes a window for one connection, and sends what has changed in it. */
static void send_own_window(struct pass *pass, struct conn *conn, enum list list)
{
    struct shared_window own = write_window(pass, conn, list);
    send_changes(pass, conn, &own);
    release_payloads(&own);
}

static void send_window(struct pass *pass, struct conn *conn, enum list list)
{
    const struct shared_window *shared = list_is_personal(pass->house, conn->person, list)
                                             ? NULL
                                             : find_shared_window(pass, conn, list);
    if (shared != NULL) {
        send_changes(pass, conn, shared);
        return;
    }
    send_own_window(pass, conn, list);
}

static void send_windows(struct pass *pass, struct conn *conn)
{
    pass->sends_totals = totals_are_due(pass->house, conn);
    set_stale(pass->house, conn, false);
    for (int list = 0; list < LIST_COUNT; list++) {
        if (window_of_conn(conn)->shows[list]) {
            send_window(pass, conn, (enum list)list);
        }
    }
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
    return window_of_conn(conn)->version != lobby_rows_of(house)->version ||
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

/* Records that the connection was sent its windows' changes: it now comes last. */
static void note_sent_changes(struct house *house, struct conn *conn)
{
    struct window_conn *window = window_of_conn(conn);
    struct conn_links *watchers = &windows_of(house)->watchers;
    window->version = lobby_rows_of(house)->version;
    window->sent_ms = house->now_ms;
    TAILQ_REMOVE(watchers, &window->link, in_list);
    TAILQ_INSERT_TAIL(watchers, &window->link, in_list);
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
    struct pass *pass = pass_new(house);
    int64_t count = 0;
    struct conn *conn = NULL;
    for (; count < PASS_MAX && (conn = first_waiting_watcher(house)) != NULL; count++) {
        send_windows(pass, conn);
        note_sent_changes(house, conn);
    }
    pass_free(pass);
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
    struct pass *pass = pass_new(house);
    pass->sends_totals = true;
    for (int list = 0; list < LIST_COUNT; list++) {
        if (wanted.shows[list]) {
            send_own_window(pass, conn, (enum list)list);
        }
    }
    pass_free(pass);
    note_sent_changes(house, conn);
}

/* Answers a look at a list with the members of its window. */
static void answer_look(const struct request *request, enum list list)
{
    struct query query;
    if (!read_query(list, request->body, &query)) {
        refuse_query(request);
        return;
    }
    struct window window = {.rows = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX)};
    struct text text = text_init(memory_new(PAYLOAD_MAX), PAYLOAD_MAX);
    write_list(request->house, request->conn->person, list, &query, &window);
    text_put_char(&text, '{');
    text_put(&text, window.totals);
    text_put_char(&text, ',');
    text_put_bytes(&text, window.rows.at, window.rows.len);
    text_put_char(&text, '}');
    answer_ok(request, memory_check_allocated(json_loadb(text.at, text.len, 0, NULL)));
    free(text.at);
    free(window.rows.at);
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
    .begin = init_windows,
    .clear = init_windows,
    .works_when_full = true,
    .next_ms = next_pass_ms,
    .flush = send_due_windows,
    .hello = stop_watching,
    .conn_lost = stop_watching,
    .conn_gone = stop_watching,
};
