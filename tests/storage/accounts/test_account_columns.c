#include "storage/accounts/account_changes.h"

#include "tests/storage/fixture.h"
#include "tests/storage/schema.h"

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
    char table[SCHEMA_NAME_SIZE], name[SCHEMA_NAME_SIZE];
    bool is_foreign_key;
};

/* The columns that hold accounts. */
static struct {
    struct column columns[COLUMNS_MAX];
    size_t count;
} schema;

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

/* Columns of the query: table, column, the table and the column that it refers to. */
static void add_foreign_key(void *context, const char *const columns[4])
{
    (void)context;
    if (strcmp(columns[2], "accounts") == 0 || find_column(columns[2], columns[3]) != NULL) {
        add_column(columns[0], columns[1], true);
    }
}

/* Columns of the query: table, column, type. */
static void add_column_if_named_like_account(void *context, const char *const columns[4])
{
    (void)context;
    if (strcmp(columns[2], "INTEGER") == 0 && strncmp(columns[1], "is_", 3) != 0 &&
        is_name_of_foreign_key(columns[1])) {
        add_column(columns[0], columns[1], false);
    }
}

static void find_account_columns(void)
{
    size_t before = 0;
    do {
        before = schema.count;
        schema_query("SELECT t.name, k.\"from\", k.\"table\", k.\"to\" FROM sqlite_schema t,"
                     " pragma_foreign_key_list(t.name) k WHERE t.type = 'table'",
                     add_foreign_key, NULL);
    } while (schema.count > before);
    schema_query("SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c"
                 " WHERE t.type = 'table'",
                 add_column_if_named_like_account, NULL);
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
    schema_watch_begin();
    assert_ok(storage_account_rename(fixture->storage, mira, "anna", "anna"));
    assert_ok(storage_account_merge(fixture->storage, mira, bob));
    assert_ok(storage_account_erase(fixture->storage, bob, "gone-1"));
    schema_watch_end();
    for (size_t i = 0; i < schema.count; i++) {
        const struct column *column = &schema.columns[i];
        char name[2 * SCHEMA_NAME_SIZE];
        (void)snprintf(name, sizeof name, "%s.%s", column->table, column->name);
        bool is_changed = schema_is_column_changed(column->table, column->name);
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
    schema_follow_connections();
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_column_that_holds_an_account_changes_with_it_or_is_exempt),
    };
    return cmocka_run_group_tests_name("account_columns", tests, NULL, NULL);
}
