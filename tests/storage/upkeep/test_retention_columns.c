#include "storage/upkeep/upkeep.h"

#include "storage/chat/chat.h"
#include "tests/storage/fixture.h"
#include "tests/storage/schema.h"
#include "tests/unit.h"

#include <string.h>

/*
 * Every column of the schema that holds words or bytes has a decision here: how long may it be
 * kept? A new column fails the test until somebody decides. deploy/OPERATING.md (*What the house
 * keeps about people*) tells operators the same.
 */
enum decision {
    EXPIRES,    /* deleted when it is as old as the settings say: storage/upkeep/retention.c does */
    OF_ACCOUNT, /* kept as long as the account: accounts/accounts.c deletes it with the account */
    PASSING,    /* kept while something goes on, then deleted by the code that keeps it */
    FOR_GOOD,   /* kept for ever, for the reason given */
    IMPERSONAL, /* tells nothing about anybody */
};

static const struct column_decision {
    const char *table, *column; /* column "*": all other columns of the table */
    enum decision decision;
    const char *why;
} decisions[] = {
    {"account_notices", "*", PASSING, "until the owner of the account signs in"},
    {"accounts", "*", OF_ACCOUNT, "erasing an account empties them and changes its name"},
    {"answers", "sealed", PASSING, "until the connection has got the answer; encrypted"},
    {"audit", "*", FOR_GOOD, "each row's hash covers the rows before it"},
    {"backoffs", "name_hash", PASSING, "a keyed hash, until the wait is over"},
    {"channel_members", "channel", PASSING, "until the person leaves the channel"},
    {"chat", "*", EXPIRES, NULL},
    {"chat_rewrites", "old_name", PASSING, "until the lines have the new name"},
    {"codes", "hash", PASSING, "until the code is used or has expired"},
    {"connections", "*", PASSING, "until the connection ends"},
    {"counters", "name", IMPERSONAL, "names of counters"},
    {"decisions", "name", PASSING, "until staff reverse the decision"},
    {"decisions", "by_name", PASSING, "until staff reverse the decision"},
    {"former_names", "*", OF_ACCOUNT, "staff find accounts by former names"},
    {"game_seats", "*", FOR_GOOD, "the record of a game; an erased account has another name"},
    {"games", "*", FOR_GOOD, "the record of a game: seed, options, numbers of accounts"},
    {"guests", "*", PASSING, "until a day after the guest has left"},
    {"hook_events", "body", PASSING, "until the webhook is sent"},
    {"hooks", "*", OF_ACCOUNT, "until the owner removes the webhook"},
    {"invitations", "name", PASSING, "until the invitation ends"},
    {"kept_tells", "*", EXPIRES, NULL},
    {"keys", "*", OF_ACCOUNT, "until the owner removes the key"},
    {"meta", "*", IMPERSONAL, "single values of the house"},
    {"moves", "move", FOR_GOOD, "the record of a game"},
    {"news", "text", PASSING, "news of the house, until staff delete them"},
    {"rating_changes", "*", FOR_GOOD, "ratings are computed again from them"},
    {"ratings", "game", IMPERSONAL, "the name of a game"},
    {"refunds", "game", IMPERSONAL, "the name of a game"},
    {"registrations", "source", PASSING, "an hour"},
    {"reports", "*", EXPIRES, NULL},
    {"rules", "name", PASSING, "until staff lift the rule"},
    {"sanction_sources", "source", PASSING, "until the sanction ends"},
    {"sanctions", "*", EXPIRES, NULL},
    {"scores", "*", FOR_GOOD, "the record of a game; an erased account has another name"},
    {"seat_changes", "*", FOR_GOOD, "the record of a game; an erased account has another name"},
    {"sign_ins", "*", EXPIRES, NULL},
    {"sqlite_sequence", "*", IMPERSONAL, "SQLite's own"},
    {"staff_notes", "*", EXPIRES, NULL},
    {"table_seats", "*", PASSING, "until the table is closed"},
    {"tables", "host_name", PASSING, "until the table is closed"},
    {"tables", "password_hash", PASSING, "until the table is closed"},
    {"tables", "halt_by", PASSING, "until the table is closed"},
    {"tables", "halt_why", PASSING, "until the table is closed"},
    {"tables", "game", IMPERSONAL, "the name of a game"},
    {"tables", "options", IMPERSONAL, "options of a game"},
    {"tallies", "game", IMPERSONAL, "the name of a game"},
    {"totp", "secret", OF_ACCOUNT, "until the owner removes the authenticator"},
    {NULL, NULL, IMPERSONAL, NULL},
};

/* Finds the decision about a column; one for the column itself goes first. */
static const struct column_decision *find_decision(const char *table, const char *column)
{
    const struct column_decision *found = NULL;

    for (const struct column_decision *row = decisions; row->table != NULL; row++) {
        if (strcmp(row->table, table) != 0) {
            continue;
        }
        if (strcmp(row->column, column) == 0) {
            return row;
        }
        found = strcmp(row->column, "*") == 0 ? row : found;
    }
    return found;
}

struct counts {
    size_t columns, failures;
    bool is_used[128]; /* which of the decisions are about a column that exists */
};

/* Columns of the query: table, column. */
static void check_column(void *context, const char *const columns[4])
{
    struct counts *counts = context;
    const struct column_decision *row = find_decision(columns[0], columns[1]);

    counts->columns++;
    if (row != NULL) {
        assert_true((size_t)(row - decisions) < ARRAY_LEN(counts->is_used));
        counts->is_used[row - decisions] = true;
    }
    if (row == NULL) {
        print_error("%s.%s: decide how long it is kept, in test_retention_columns.c\n", columns[0],
                    columns[1]);
        counts->failures++;
    } else if (row->decision == EXPIRES && !schema_is_column_emptied(columns[0], columns[1])) {
        print_error("%s.%s: storage/upkeep/retention.c does not delete it\n", columns[0],
                    columns[1]);
        counts->failures++;
    } else if (row->decision != EXPIRES && row->why == NULL) {
        print_error("%s.%s: the decision has no reason\n", columns[0], columns[1]);
        counts->failures++;
    }
}

static void every_column_with_words_has_a_decision_how_long_it_is_kept(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {.columns = 0};
    struct storage_retention_run run = {.before_ms = {1, 1, 1, 1}};
    struct storage_chat line = {.at_ms = 0};
    int64_t number = 0;
    bool is_done = false;

    assert_ok(storage_chat_add(fixture->storage, &line, &number));
    line.channel = STORAGE_CHAT_DIRECT;
    assert_ok(storage_chat_add(fixture->storage, &line, &number));
    schema_watch_begin();
    while (!is_done) {
        assert_ok(storage_retention_continue(fixture->storage, &run, 100, &is_done));
    }
    schema_watch_end();
    schema_query("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                 " WHERE t.type = 'table' AND c.type IN ('TEXT', 'BLOB', '') ORDER BY 1, 2",
                 check_column, &counts);
    assert_true(counts.columns > 100);
    for (size_t i = 0; decisions[i].table != NULL; i++) {
        if (!counts.is_used[i]) {
            print_error("%s.%s: there is no such column\n", decisions[i].table,
                        decisions[i].column);
            counts.failures++;
        }
    }
    assert_int_equal(counts.failures, 0);
}

TEST_GROUP(retention_columns)
{
    schema_follow_connections();
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_column_with_words_has_a_decision_how_long_it_is_kept),
    };
    return cmocka_run_group_tests_name("retention_columns", tests, NULL, NULL);
}
