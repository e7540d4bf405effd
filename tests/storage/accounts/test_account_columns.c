#include "storage/accounts/accounts.h"

#include "tests/storage/fixture.h"
#include "tests/storage/schema.h"
#include "tests/unit.h"

#include <string.h>

/*
 * Every column of the schema that holds the number of an account is changed when the account is
 * merged, renamed or erased, or is listed here with the reason why not.
 * SQLite itself reports what a change does (tests/storage/schema.h).
 */

static const struct unchanged {
    const char *column, *reason;
} unchanged[] = {
    {"tables.host",
     "the core gives open tables a new host and saves them; closed tables have none"},
    {"table_seats.account", "the core frees the seats and saves the tables"},
    {"chat.account", "chat lines stay; storage/chat/chat.c changes their names and texts"},
    {"chat_rewrites.account", "names the account whose lines are being rewritten"},
    {"connections.account", "the core ends the connections, which deletes their rows"},
    {NULL, NULL},
};

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
    struct schema_column columns[SCHEMA_COLUMNS_MAX];
    const size_t count = schema_find_account_columns(columns);
    assert_true(count > 20);
    schema_watch_begin();
    assert_ok(storage_account_rename(fixture->storage, mira, "anna", "anna"));
    assert_ok(storage_account_merge(fixture->storage, mira, bob));
    assert_ok(storage_account_erase(fixture->storage, bob, "gone-1"));
    schema_watch_end();
    for (size_t i = 0; i < count; i++) {
        const struct schema_column *column = &columns[i];
        const char *name = column->full_name;
        bool is_changed = schema_is_column_changed(column->table, column->name);
        if (is_changed == (find_exemption_reason(name) != NULL)) {
            print_error("%s %s\n", name,
                        is_changed ? "is listed, but accounts.c changes it"
                                   : "holds an account: accounts.c has to change it, or this "
                                     "test lists the reason why not");
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

TEST_GROUP(account_columns)
{
    schema_follow_connections();
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_column_that_holds_an_account_changes_with_it_or_is_exempt),
    };
    return cmocka_run_group_tests_name("account_columns", tests, NULL, NULL);
}
