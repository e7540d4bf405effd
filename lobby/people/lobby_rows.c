#include "lobby/people/people.h"

#include "lobby/bots/lobby_bots.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lobby_rows_state {
    struct lobby_rows rows;
    struct lobby_person_row bots[BOT_NAMES_MAX]; /* the rows of bots that sit at a table */
};

static struct lobby_rows_state *state_of(const struct house *house)
{
    return PART_STATE(house, lobby_rows);
}

struct lobby_rows *lobby_rows_of(const struct house *house)
{
    return &state_of(house)->rows;
}

static struct lobby_person_row *row_of_person(const struct person *person)
{
    return PERSON_STATE(person, lobby_rows);
}

struct lobby_table *lobby_rows_of_table(const struct table *table)
{
    return TABLE_STATE(table, lobby_rows);
}

static void init_rows(struct house *house)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    TAILQ_INIT(&rows->unsent);
    rows->gone_people = json_array();
    rows->gone_tables = json_array();
    rows->idle_checked_ms = house->now_ms;
}

static void free_rows(struct house *house)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    json_decref(rows->gone_people);
    json_decref(rows->gone_tables);
    free(rows->people);
}

int lobby_rows_compare(const char *a, const char *b)
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

size_t lobby_rows_rank_of_name(const struct lobby_rows *rows, const char *name)
{
    size_t low = 0;
    size_t high = rows->people_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lobby_rows_compare(rows->people[middle].row->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct lobby_person_row *lobby_rows_find_account(const struct lobby_rows *rows,
                                                       int64_t account)
{
    return index_find(&rows->by_account, &account, sizeof(account));
}

static void mark_unsent(struct lobby_rows *rows, struct lobby_person_row *row)
{
    rows->people_version++;
    if (!row->is_unsent) {
        row->is_unsent = true;
        TAILQ_INSERT_TAIL(&rows->unsent, row, of_unsent);
    }
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
    size_t rank = lobby_rows_rank_of_name(rows, row->name);
    row->list = rows;
    rows->people =
        memory_grow(rows->people, rows->people_count, &rows->people_cap, sizeof(*rows->people));
    memmove(&rows->people[rank + 1], &rows->people[rank],
            (rows->people_count - rank) * sizeof(*rows->people));
    rows->people[rank].row = row;
    rows->people_count++;
    rows->bot_count += row->is_bot;
    if (row->account != 0) {
        index_add(&rows->by_account, &row->account, sizeof(row->account), row);
    }
    cancel_removal(rows, row->name);
}

/* Removes a person from the lobby, unless they are not listed. */
static void unlist_row(struct lobby_person_row *row)
{
    struct lobby_rows *rows = row->list;
    if (rows == NULL) {
        return;
    }
    size_t rank = lobby_rows_rank_of_name(rows, row->name);
    memmove(&rows->people[rank], &rows->people[rank + 1],
            (rows->people_count - rank - 1) * sizeof(*rows->people));
    rows->people_count--;
    rows->bot_count -= row->is_bot;
    rows->people_version++;
    if (row->account != 0) {
        index_remove(&rows->by_account, &row->account, sizeof(row->account));
    }
    if (row->is_unsent) {
        TAILQ_REMOVE(&rows->unsent, row, of_unsent);
    }
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
        .rating = rating_to_row(person->has_rating, person->mu, person->is_provisional),
        .table = table == NULL ? 0 : table->row.id,
        .is_seated = table != NULL && table_seat_of(table, person) >= 0,
        .idle_s = (int32_t)rounded_idle_s(house, person),
    };
    row_copy_text(row.name, sizeof(row.name), person->name);
    row.presence = presence_for_lobby_row(house, person, row.presence_text);
    return row;
}

/* Makes the person's row anew. */
static void update_person(struct house *house, struct person *person)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    struct lobby_person_row *row = row_of_person(person);
    struct person_row made = make_person_row(house, person);
    bool is_bot = person->kind == PERSON_BOT;
    bool is_new = row->text == NULL;
    if (!last_sent_replace_if_changed(&row->text, person_row_write(&made))) {
        return;
    }
    if (is_new) {
        (void)snprintf(row->name, sizeof(row->name), "%s", person->name);
        row->account = person->account;
        row->is_bot = is_bot;
        list_row(rows, row);
    }
    rows->bot_count = rows->bot_count + (is_bot && !row->is_bot) - (!is_bot && row->is_bot);
    row->is_bot = is_bot;
    mark_unsent(rows, row);
}

void lobby_rows_update_people(struct house *house)
{
    struct person *person = NULL;
    while ((person = TAILQ_FIRST(&persons_of(house)->changed)) != NULL) {
        person_unmark_changed(house, person);
        if (person_is_in_house(person)) {
            update_person(house, person);
        }
    }
}

/* Makes the row of a bot anew. */
static void update_bot(struct house *house, size_t index)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    struct lobby_person_row *row = &state_of(house)->bots[index];
    json_t *made = lobby_bot_row(house, index);
    bool is_new = row->text == NULL;
    if (made == NULL) {
        unlist_row(row);
        return;
    }
    if (!last_sent_replace_if_changed(&row->text, made)) {
        return;
    }
    if (is_new) {
        (void)snprintf(row->name, sizeof(row->name), "%s", bot_name_at(index)->name);
        row->is_bot = true;
        list_row(rows, row);
    }
    mark_unsent(rows, row);
}

static void update_tables(struct house *house)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    TABLES_EACH(table, house) {
        struct lobby_table *lobby = lobby_rows_of_table(table);
        bool is_listed = table->is_changed && !table_is_lesson(table);
        bool is_new = lobby->text == NULL;
        table->is_changed = false;
        if (!is_listed) {
            continue;
        }
        lobby->row = table_make_row(table);
        if (last_sent_replace_if_changed(&lobby->text, table_row_write(&lobby->row))) {
            rows->table_count += is_new;
            rows->tables_version++;
            lobby->is_unsent = true;
            rows->has_unsent_tables = true;
        }
    }
}

void lobby_rows_update_all(struct house *house)
{
    lobby_rows_update_people(house);
    if (tables_of(house)->rows_changed) {
        for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
            update_bot(house, i);
        }
        update_tables(house);
        tables_of(house)->rows_changed = false;
    }
}

bool lobby_rows_are_outdated(const struct house *house)
{
    return !TAILQ_EMPTY(&persons_of(house)->changed) || tables_of(house)->rows_changed;
}

static void refresh_idle_times(struct house *house)
{
    struct lobby_rows *rows = lobby_rows_of(house);
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
               : lobby_rows_of(house)->idle_checked_ms + PACE_IDLE_MS;
}

static void clear_rows(struct house *house)
{
    struct lobby_rows *rows = lobby_rows_of(house);
    for (size_t i = 0; i < BOT_NAMES_MAX; i++) {
        unlist_row(&state_of(house)->bots[i]);
    }
    (void)json_array_clear(rows->gone_people);
    (void)json_array_clear(rows->gone_tables);
    rows->table_count = 0;
    rows->has_unsent_tables = false;
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
    struct lobby_rows *rows = lobby_rows_of(house);
    (void)json_array_append_new(rows->gone_tables, json_integer(table->row.id));
    rows->table_count -= lobby_rows_of_table(table)->text != NULL;
    rows->tables_version++;
}

static void free_table_row(struct table *table)
{
    free(lobby_rows_of_table(table)->text);
}

const struct table_listener lobby_rows_table_listener = {
    .table_size = sizeof(struct lobby_table),
    .closed = remove_table,
    .freed = free_table_row,
};

const struct part lobby_rows_part = {
    .name = "lobby-rows",
    .house_size = sizeof(struct lobby_rows_state),
    .begin = init_rows,
    .clear = clear_rows,
    .end = free_rows,
    .works_when_full = true,
    .tick = refresh_idle_times,
    .next_ms = next_idle_check_ms,
};
