#include "storage/accounts/account_changes.h"

#include "tests/storage/fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/*
 * Every column of the schema that holds the number of an account is changed when the account is
 * merged, renamed or erased, or is listed here with the reason why not.
 *
 * Such columns are found in two ways. One is their foreign keys, which may lead to accounts through
 * another table (hooks). The other is their names: a column without a foreign key counts if its
 * name contains "account", or if some foreign key to accounts has that name, such as `host`. SQLite
 * itself reports what a change does, through an authorizer.
 */

#define COLUMNS_MAX 128
#define NAME_SIZE 64

static const struct unchanged {
    const char *column, *reason;
} unchanged[] = {
    {"tables.host",
     "the core gives open tables a new host and saves them; closed tables keep their host"},
    {"table_seats.account", "the core frees the seats and saves the tables"},
    {"chat.account", "chat lines stay; storage/chat/chat_rewrites.c changes their names and texts"},
    {"chat_rewrites.account", "names the account whose lines are being rewritten"},
    {"connections.account", "the core ends the connections, which deletes their rows"},
    {"standings.account", "the core deletes the standings, game by game"},
    {"leader_lines.account", "triggers delete the lines with the standings"},
    {"rerated.account", "has rows only while re-rating is in progress"},
    {NULL, NULL},
};

struct column {
    char table[NAME_SIZE], name[NAME_SIZE];
    bool is_foreign_key, is_read, is_changed;
};

/* The columns that hold accounts, the database tables that rows are deleted from, and the
 * connection to SQLite. */
static struct schema {
    sqlite3 *db;
    struct column columns[COLUMNS_MAX];
    size_t count;
    char deleted[COLUMNS_MAX][NAME_SIZE];
    size_t deleted_count;
} schema;

/* An extension that SQLite loads into every new connection: remembers the storage's connection. */
static int remember_connection(sqlite3 *db, const char **error, const void *api)
{
    (void)error;
    (void)api;
    schema.db = db;
    return SQLITE_OK;
}

static struct column *find_column(const char *table, const char *name)
{
    for (size_t i = 0; i < schema.count; i++) {
        if (strcmp(schema.columns[i].table, table) == 0 &&
            strcmp(schema.columns[i].name, name) == 0) {
            return &schema.columns[i];
        }
    }
    return NULL;
}

static bool is_name_of_foreign_key(const char *name)
{
    for (size_t i = 0; i < schema.count; i++) {
        if (schema.columns[i].is_foreign_key && strcmp(schema.columns[i].name, name) == 0) {
            return true;
        }
    }
    return strstr(name, "account") != NULL;
}

static void add_column(const char *table, const char *name, bool is_foreign_key)
{
    if (find_column(table, name) == NULL) {
        assert_true(schema.count < COLUMNS_MAX);
        struct column *column = &schema.columns[schema.count++];
        (void)snprintf(column->table, sizeof column->table, "%s", table);
        (void)snprintf(column->name, sizeof column->name, "%s", name);
        column->is_foreign_key = is_foreign_key;
    }
}

/* Calls `row` with the columns of each row that a query returns. */
static void query_rows(const char *sql, void (*row)(const char *first, const char *second,
                                                    const char *third, const char *fourth))
{
    sqlite3_stmt *statement = NULL;
    const char *texts[4] = {"", "", "", ""};
    assert_int_equal(sqlite3_prepare_v2(schema.db, sql, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < 4; i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            texts[i] = text == NULL ? "" : text;
        }
        row(texts[0], texts[1], texts[2], texts[3]);
    }
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
}

static void add_foreign_key(const char *table, const char *column, const char *to_table,
                            const char *to_column)
{
    if (strcmp(to_table, "accounts") == 0 || find_column(to_table, to_column) != NULL) {
        add_column(table, column, true);
    }
}

static void add_column_if_named_like_account(const char *table, const char *column,
                                             const char *type, const char *unused)
{
    (void)unused;
    if (strcmp(type, "INTEGER") == 0 && strncmp(column, "is_", 3) != 0 &&
        is_name_of_foreign_key(column)) {
        add_column(table, column, false);
    }
}

static void find_account_columns(void)
{
    size_t before = 0;
    do {
        before = schema.count;
        query_rows("SELECT t.name, k.\"from\", k.\"table\", k.\"to\" FROM sqlite_schema t,"
                   " pragma_foreign_key_list(t.name) k WHERE t.type = 'table'",
                   add_foreign_key);
    } while (schema.count > before);
    query_rows("SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c"
               " WHERE t.type = 'table'",
               add_column_if_named_like_account);
}

static int collect_action(void *unused, int action, const char *first, const char *second,
                          const char *database, const char *trigger)
{
    (void)unused;
    (void)database;
    (void)trigger;
    struct column *column = first == NULL || second == NULL ? NULL : find_column(first, second);
    if (action == SQLITE_UPDATE && column != NULL) {
        column->is_changed = true;
    } else if (action == SQLITE_READ && column != NULL) {
        column->is_read = true;
    } else if (action == SQLITE_DELETE) {
        assert_true(schema.deleted_count < COLUMNS_MAX);
        (void)snprintf(schema.deleted[schema.deleted_count++], NAME_SIZE, "%s", first);
    }
    return SQLITE_OK;
}

static bool is_in_table_with_deleted_rows(const struct column *column)
{
    for (size_t i = 0; i < schema.deleted_count; i++) {
        if (strcmp(schema.deleted[i], column->table) == 0) {
            return column->is_read;
        }
    }
    return false;
}

/* Returns the listed reason why changes to an account leave the column unchanged; NULL when none is
 * listed. */
static const char *find_exemption_reason(const char *name)
{
    for (const struct unchanged *row = unchanged; row->column != NULL; row++) {
        if (strcmp(row->column, name) == 0) {
            return row->reason;
        }
    }
    return NULL;
}

static void every_column_that_holds_an_account_changes_with_it_or_is_exempt(void **state)
{
    const struct fixture *fixture = *state;
    int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    size_t failed = 0;
    find_account_columns();
    assert_true(schema.count > 20);
    assert_int_equal(sqlite3_set_authorizer(schema.db, collect_action, NULL), SQLITE_OK);
    assert_ok(storage_account_rename(fixture->storage, mira, "anna", "anna"));
    assert_ok(storage_account_merge(fixture->storage, mira, bob));
    assert_ok(storage_account_erase(fixture->storage, bob, "gone-1"));
    assert_int_equal(sqlite3_set_authorizer(schema.db, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < schema.count; i++) {
        const struct column *column = &schema.columns[i];
        char name[2 * NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s.%s", column->table, column->name);
        bool is_changed = column->is_changed || is_in_table_with_deleted_rows(column);
        if (is_changed == (find_exemption_reason(name) != NULL)) {
            print_error("%s %s\n", name,
                        is_changed
                            ? "is listed, but account_changes.c changes it"
                            : "holds an account: account_changes.c has to change it, or this "
                              "test lists the reason why not");
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    assert_int_equal(sqlite3_auto_extension((void (*)(void))remember_connection), SQLITE_OK);
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_column_that_holds_an_account_changes_with_it_or_is_exempt),
    };
    return cmocka_run_group_tests_name("account_columns", tests, NULL, NULL);
}
