#include "tests/storage/schema.h"

#include "tests/storage/fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define ACTIONS_MAX 4096

static struct {
    sqlite3 *db;
    struct action {
        int kind; /* SQLITE_READ, _UPDATE or _DELETE */
        char table[SCHEMA_NAME_SIZE], column[SCHEMA_NAME_SIZE];
    } actions[ACTIONS_MAX];
    size_t action_count;
} schema;

/* An extension that SQLite loads into every new connection. */
static int remember_connection(sqlite3 *db, const char **error, const void *api)
{
    (void)error;
    (void)api;
    schema.db = db;
    return SQLITE_OK;
}

void schema_follow_connections(void)
{
    assert_int_equal(sqlite3_auto_extension((void (*)(void))remember_connection), SQLITE_OK);
}

void schema_query(const char *sql, schema_row *row, void *context)
{
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(schema.db, sql, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *columns[4];
        for (int i = 0; i < 4; i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            columns[i] = text == NULL ? "" : text;
        }
        row(context, columns);
    }
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
}

/* A list of columns that is being filled. */
struct column_list {
    struct schema_column *columns;
    size_t count;
};

static bool has_column(const struct column_list *list, const char *table, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->columns[i].table, table) == 0 &&
            strcmp(list->columns[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_name_of_foreign_key(const struct column_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->columns[i].is_foreign_key && strcmp(list->columns[i].name, name) == 0) {
            return true;
        }
    }
    return strstr(name, "account") != NULL;
}

static void add_column(struct column_list *list, const char *table, const char *name,
                       bool is_foreign_key)
{
    if (!has_column(list, table, name)) {
        assert_true(list->count < SCHEMA_COLUMNS_MAX);
        struct schema_column *column = &list->columns[list->count++];
        (void)snprintf(column->table, sizeof column->table, "%s", table);
        (void)snprintf(column->name, sizeof column->name, "%s", name);
        (void)snprintf(column->full_name, sizeof column->full_name, "%s.%s", table, name);
        column->is_foreign_key = is_foreign_key;
    }
}

/* Columns of the query: table, column, the table and the column that it refers to. */
static void add_foreign_key(void *context, const char *const columns[4])
{
    struct column_list *list = context;
    if (strcmp(columns[2], "accounts") == 0 || has_column(list, columns[2], columns[3])) {
        add_column(list, columns[0], columns[1], true);
    }
}

/* Columns of the query: table, column, type. */
static void add_column_if_named_like_account(void *context, const char *const columns[4])
{
    struct column_list *list = context;
    if (strcmp(columns[2], "INTEGER") == 0 && strncmp(columns[1], "is_", 3) != 0 &&
        is_name_of_foreign_key(list, columns[1])) {
        add_column(list, columns[0], columns[1], false);
    }
}

size_t schema_find_account_columns(struct schema_column columns[SCHEMA_COLUMNS_MAX])
{
    struct column_list list = {.columns = columns};
    size_t before = 0;
    do {
        before = list.count;
        schema_query("SELECT t.name, k.\"from\", k.\"table\", k.\"to\" FROM sqlite_schema t,"
                     " pragma_foreign_key_list(t.name) k WHERE t.type = 'table'",
                     add_foreign_key, &list);
    } while (list.count > before);
    schema_query("SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c"
                 " WHERE t.type = 'table'",
                 add_column_if_named_like_account, &list);
    return list.count;
}

static bool has_action(int kind, const char *table, const char *column)
{
    for (size_t i = 0; i < schema.action_count; i++) {
        const struct action *action = &schema.actions[i];
        if (action->kind == kind && strcmp(action->table, table) == 0 &&
            strcmp(action->column, column) == 0) {
            return true;
        }
    }
    return false;
}

static int collect_action(void *unused, int kind, const char *first, const char *second,
                          const char *database, const char *trigger)
{
    (void)unused;
    (void)database;
    (void)trigger;
    const char *column = second == NULL ? "" : second;
    if ((kind == SQLITE_READ || kind == SQLITE_UPDATE || kind == SQLITE_DELETE) &&
        !has_action(kind, first, column)) {
        assert_true(schema.action_count < ACTIONS_MAX);
        struct action *action = &schema.actions[schema.action_count++];
        action->kind = kind;
        (void)snprintf(action->table, sizeof action->table, "%s", first);
        (void)snprintf(action->column, sizeof action->column, "%s", column);
    }
    return SQLITE_OK;
}

void schema_watch_begin(void)
{
    schema.action_count = 0;
    assert_int_equal(sqlite3_set_authorizer(schema.db, collect_action, NULL), SQLITE_OK);
}

void schema_watch_end(void)
{
    assert_int_equal(sqlite3_set_authorizer(schema.db, NULL, NULL), SQLITE_OK);
}

bool schema_is_column_read(const char *table, const char *column)
{
    return has_action(SQLITE_READ, table, column);
}

bool schema_is_column_emptied(const char *table, const char *column)
{
    return has_action(SQLITE_UPDATE, table, column) || has_action(SQLITE_DELETE, table, "");
}

bool schema_is_column_changed(const char *table, const char *column)
{
    return has_action(SQLITE_UPDATE, table, column) ||
           (has_action(SQLITE_DELETE, table, "") && schema_is_column_read(table, column));
}
