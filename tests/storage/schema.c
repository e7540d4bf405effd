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
