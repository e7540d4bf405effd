#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/people/friends_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 1000000 /* maximum position in a list that a query may name */

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

static bool read_window(const json_t *object, uint32_t *first, uint32_t *count)
{
    int64_t numbers[2] = {0, LOBBY_WINDOW_ROWS_MAX};
    if (!json_is_object(object) ||
        !json_read_optional_number(object, "first", 0, LIST_MAX, &numbers[0]) ||
        !json_read_optional_number(object, "count", 0, LOBBY_WINDOW_ROWS_MAX, &numbers[1])) {
        return false;
    }
    *first = (uint32_t)numbers[0];
    *count = (uint32_t)numbers[1];
    return true;
}

/* Copies an optional text; false if it is no text or too long. */
static bool read_optional_text(const json_t *object, const char *key, char *out, size_t size)
{
    const char *text = json_read_text(object, key, size - 1);
    (void)snprintf(out, size, "%s", text == NULL ? "" : text);
    return text != NULL || json_read_key_is_absent(object, key);
}

bool lobby_people_query_read(json_t *object, struct lobby_people_query *query)
{
    *query = (struct lobby_people_query){0};
    bool is_good = read_window(object, &query->first, &query->count) &&
                   read_optional_text(object, "at", query->at, JSON_NAME_MAX + 1) &&
                   read_optional_text(object, "start", query->start, JSON_NAME_MAX + 1);
    name_to_lower(query->at);
    name_to_lower(query->start);
    return is_good;
}

/* Reads the number of a word; 0 if the key is absent, -1 for an unknown word. */
static int read_word(const json_t *object, const char *key, const char *const *words)
{
    return json_read_key_is_absent(object, key)
               ? 0
               : text_find_word(words, json_read_text(object, key, 16));
}

bool lobby_people_query_is_same(const struct lobby_people_query *a,
                                const struct lobby_people_query *b)
{
    return a->first == b->first && a->count == b->count && strcmp(a->at, b->at) == 0 &&
           strcmp(a->start, b->start) == 0;
}

bool lobby_tables_query_is_same(const struct lobby_tables_query *a,
                                const struct lobby_tables_query *b)
{
    return a->first == b->first && a->count == b->count && a->at == b->at && a->games == b->games &&
           a->show == b->show && a->sort == b->sort && strcmp(a->filter, b->filter) == 0;
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

bool lobby_tables_query_read(const json_t *object, struct lobby_tables_query *query)
{
    *query = (struct lobby_tables_query){0};
    int show = read_word(object, "show", show_words);
    int sort = read_word(object, "sort", sort_words);
    query->show = (uint8_t)show;
    query->sort = (uint8_t)sort;
    query->games = read_games(json_object_get(object, "games"));
    return read_window(object, &query->first, &query->count) && show >= 0 && sort >= 0 &&
           json_read_optional_number(object, "at", 0, INT64_MAX, &query->at) &&
           read_optional_text(object, "filter", query->filter, sizeof(query->filter));
}

/* Moves a window so that it contains the row at this position, if possible in its middle. */
static uint32_t move_window(size_t position, uint32_t count)
{
    return position < count / 2 ? 0 : (uint32_t)(position - count / 2);
}

/* Appends a row to the list; false if the text has no room for it. */
static bool append_row(struct text *rows, const char *row, bool is_first)
{
    size_t len = strlen(row);
    if (rows->len + len + 2 >= LOBBY_WINDOW_BYTES) {
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

static bool position_of_name(const struct people_list *list, const char *name, size_t *position)
{
    const struct lobby_rows *rows = list->rows;
    size_t index = lobby_rows_rank_of_name(rows, name);
    if (index == rows->people_count || strcmp(rows->people[index].row->name, name) != 0) {
        return false;
    }
    *position = index + list->friend_count;
    for (size_t i = 0; i < list->friend_count && list->friends[i] <= index; i++) {
        if (list->friends[i] == index) {
            *position = i;
            return true;
        }
        (*position)--;
    }
    return true;
}

bool lobby_people_are_personal(const struct house *house, const struct person *person)
{
    const struct friends *friends = friends_of(person);
    for (size_t i = 0; i < friends->count; i++) {
        if (lobby_rows_find_account(lobby_rows_of(house), friends->accounts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void write_people_totals(const struct lobby_rows *rows, size_t count, uint32_t first,
                                struct lobby_window *window)
{
    text_put_char(&window->rows, ']');
    (void)snprintf(window->totals, sizeof(window->totals),
                   "\"here\":%zu,\"people_count\":%zu,\"people_first\":%" PRIu32,
                   rows->people_count - rows->bot_count, count, first);
}

/* Writes the wanted rows of the people whose names begin with query->start. */
static void write_people_by_start(const struct lobby_rows *rows,
                                  const struct lobby_people_query *query,
                                  struct lobby_window *window)
{
    size_t count = 0;
    bool has_room = true;
    for (size_t i = 0; i < rows->people_count; i++) {
        if (strncmp(rows->people[i].row->name, query->start, strlen(query->start)) != 0) {
            continue;
        }
        if (count >= query->first && count < (size_t)query->first + query->count) {
            has_room = has_room &&
                       append_row(&window->rows, rows->people[i].row->text, count == query->first);
        }
        count++;
    }
    write_people_totals(rows, count, query->first, window);
}

static void write_people_around(const struct people_list *list,
                                const struct lobby_people_query *query, struct lobby_window *window)
{
    size_t count = list->rows->people_count;
    size_t position = 0;
    uint32_t first = query->first;
    if (query->at[0] != '\0' && position_of_name(list, query->at, &position)) {
        first = move_window(position, query->count);
    }
    if (first + query->count > count) {
        first = count > query->count ? (uint32_t)(count - query->count) : 0;
    }
    for (size_t i = first; i < count && i < (size_t)first + query->count; i++) {
        if (!append_row(&window->rows, list->rows->people[index_of_position(list, i)].row->text,
                        i == first)) {
            break;
        }
    }
    write_people_totals(list->rows, count, first, window);
}

void lobby_people_write(const struct house *house, const struct person *person,
                        const struct lobby_people_query *query, struct lobby_window *window)
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

static bool table_is_shown(const struct lobby_tables_query *query,
                           const struct listed_table *listed)
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
static bool table_passes_filter(const struct lobby_tables_query *query, const struct table_row *row)
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
static size_t collect_tables(struct house *house, struct person *person,
                             const struct lobby_tables_query *query, struct listed_table *tables)
{
    size_t count = 0;
    TABLES_EACH(table, house) {
        const struct lobby_table *lobby = lobby_rows_of_table(table);
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

bool lobby_tables_are_personal(const struct house *house, const struct person *person,
                               bool has_seat)
{
    if (has_seat || blocks_keep_person_apart(person)) {
        return true;
    }
    TABLES_EACH(table, house) {
        struct eligibility rule = table_eligibility_rule(table);
        if (table->row.state == STORAGE_TABLE_OPEN && eligibility_has_conditions(&rule)) {
            return true;
        }
    }
    return false;
}

void lobby_tables_write(struct house *house, struct person *person,
                        const struct lobby_tables_query *query, struct lobby_window *window)
{
    struct listed_table *tables =
        memory_new((1 + index_count(&tables_of(house)->by_id)) * sizeof(*tables));
    size_t count = collect_tables(house, person, query, tables);
    uint32_t first = query->first;
    for (size_t i = 0; i < count; i++) {
        if (tables[i].lobby->row.id == query->at) {
            first = move_window(i, query->count);
        }
    }
    if (first + query->count > count) {
        first = count > query->count ? (uint32_t)(count - query->count) : 0;
    }
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
