#include "storage/accounts/accounts.h"

#include "storage/chat/chat.h"
#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/storage/schema.h"
#include "tests/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Every column of the schema that holds the number of an account is read by an export, or is listed
 * here with the reason why not.
 */
static const struct left_out {
    const char *column, *reason;
} left_out[] = {
    {"codes.account", "a code opens the account"},
    {"chat_rewrites.account", "work in progress on lines that are exported"},
    {"kept_tells.account", "these messages are exported with all messages received"},
    {"friends.friend", "who calls the person a friend is that person's own list"},
    {"regards.other", "who blocks the person is that person's own list"},
    {"reports.about_account", "would tell who has reported the person, and what staff look into"},
    {"staff_notes.account", "notes that staff write for each other, often about several people"},
    {"refunds.lost_to", "somebody else's refund"},
    {"tallies.account", "sums of the changes of ratings, which are exported"},
    {NULL, NULL},
};

static bool is_left_out(const char *column)
{
    for (const struct left_out *row = left_out; row->column != NULL; row++) {
        if (strcmp(row->column, column) == 0) {
            return true;
        }
    }
    return false;
}

/* An export as text: "[section] {name=value name=value}". */
struct text {
    char at[65536];
    size_t len;
};

#define ADD(text, ...)                                                                             \
    ((text)->len +=                                                                                \
     (size_t)snprintf((text)->at + (text)->len, sizeof(text)->at - (text)->len, __VA_ARGS__))

static void add_row(struct text *text, json_t *row)
{
    const char *name = NULL;
    json_t *value = NULL;

    ADD(text, "| ");
    json_object_foreach(row, name, value)
    {
        char *json = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        ADD(text, "%s=%s ", name, json_is_string(value) ? json_string_value(value) : json);
        free(json);
    }
}

static void export_as_text(struct storage *storage, int64_t account, struct text *text)
{
    json_t *document = json_object();
    const char *name = NULL;
    json_t *section = NULL;
    json_t *row = NULL;
    size_t i = 0;

    *text = (struct text){.len = 0};
    assert_ok(storage_account_export(storage, account, document));
    json_object_foreach(document, name, section)
    {
        ADD(text, "[%s] ", name);
        if (json_is_object(section)) {
            add_row(text, section);
        }
        json_array_foreach(section, i, row)
        {
            add_row(text, row);
        }
    }
    json_decref(document);
    assert_true(text->len < sizeof text->at);
}

static void every_column_that_holds_an_account_is_exported_or_left_out_for_a_reason(void **state)
{
    const struct fixture *fixture = *state;
    SKIP_ON_POSTGRES("asks SQLite which columns the statements read");
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    struct schema_column columns[SCHEMA_COLUMNS_MAX];
    const size_t count = schema_find_account_columns(columns);
    static struct text text;
    size_t failed = 0;

    assert_true(count > 20);
    schema_watch_begin();
    export_as_text(fixture->storage, mira, &text);
    schema_watch_end();
    for (size_t i = 0; i < count; i++) {
        const bool is_read = schema_is_column_read(columns[i].table, columns[i].name);
        if (!is_read && !is_left_out(columns[i].full_name)) {
            print_error("%s holds an account: export it, or list here why not\n",
                        columns[i].full_name);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

/* Rows of mira (account 1) and bob (account 2) in a table and at a game that is over (1), in play
 * (2), and ended without a result (3). The names of mira contain "mira" only where told. */
static const char rows_of_two_people[] =
    "UPDATE accounts SET password_hash = 'SECRET1' WHERE id = 1;"
    "INSERT INTO totp VALUES (1, 'SECRET2', 0);"
    "INSERT INTO codes VALUES (1, 0, 'SECRET3', 9);"
    "INSERT INTO hooks VALUES (1, 'https://SECRET4/', 'SECRET5', 1, 0, 0, 0);"
    "INSERT INTO keys VALUES ('SHA256:miras', 1, 'ssh-ed25519', 5);"
    "INSERT INTO sign_ins VALUES (1, '192.0.2.1', 'SHA256:miras', 1, 2, 3);"
    "INSERT INTO former_names VALUES (1, 'oldname', 'oldname', 1);"
    "INSERT INTO friends VALUES (1, 2, 7);"
    "INSERT INTO regards VALUES (2, 1, 0);"
    "INSERT INTO tables (id, game, players, options, clock_s, password_hash, host, host_name,"
    " state, created_ms, game_id, conn, request) VALUES"
    " (1, 'whist', 4, '{}', 0, '', 1, 'mira', 1, 1, 2, 0, 0);"
    "INSERT INTO games (id, table_id, game, players, options, seed, commitment, is_rated, state,"
    " started_ms, finished_ms) SELECT i, 1, 'whist', 4, '{}', zeroblob(32), zeroblob(32), 0,"
    " CASE i WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE 2 END, 1, 0"
    " FROM (SELECT 1 AS i UNION SELECT 2 UNION SELECT 3) AS three;"
    "INSERT INTO game_seats SELECT id, 0, 1, 1, 'mira', '' FROM games;"
    "INSERT INTO game_seats SELECT id, 1, 1, 2, 'bob', '' FROM games;"
    "INSERT INTO seat_changes SELECT id, 0, 3, 0, 1, 1, 'mira', '' FROM games;"
    "INSERT INTO moves SELECT id, 0, 0, 'PLAYED' || id, 1, 0, 0 FROM games;"
    "INSERT INTO moves SELECT id, 1, 1, 'BOBS' || id, 1, 0, 0 FROM games;"
    "INSERT INTO scores VALUES (1, 0, 0, 1, 1, 'mira', '', 12, 1, 1, 0, 0, 0);"
    "INSERT INTO chat (number, channel, kind, account, from_name, to_name, text, at_ms, conn,"
    " request) VALUES (1, 0, 0, 1, 'mira', '', 'SAID', 1, 0, 0),"
    " (2, 2, 0, 1, 'mira', 'bob', 'SENT', 1, 0, 0), (3, 2, 0, 2, 'bob', 'mira', 'RECEIVED', 1, 0, "
    "0),"
    " (4, 2, 0, 2, 'bob', 'ada', 'FOREIGN', 1, 0, 0);"
    "INSERT INTO kept_tells VALUES (2, 2, 'mira', 1);"
    "INSERT INTO reports (by_account, by_name, about_account, about_name, category, text, table_id,"
    " game_id, line_first, line_last, at_ms, state, staff_name, answer, closed_ms) VALUES"
    " (1, 'mira', 2, 'bob', 'abuse', 'COMPLAINT', 0, 0, 0, 0, 1, 2, 'STAFFNAME', 'ANSWER', 2),"
    " (2, 'bob', 1, 'mira', 'abuse', 'ACCUSATION', 0, 0, 0, 0, 1, 0, '', '', 0);"
    "INSERT INTO sanctions (kind, account, name, address, fingerprint, scopes, reason, note,"
    " by_name, by_role, audit, since_ms, until_ms, ended_ms, ended_by, appeal, appeal_ms) VALUES"
    " (1, 1, 'mira', '', '', 0, 'REASON', 'INTERNAL', 'STAFFNAME', 1, 1, 1, 9, 0, '', 'APPEAL', 1);"
    "INSERT INTO staff_notes (account, report, by_name, text, at_ms) VALUES"
    " (1, 0, 'STAFFNAME', 'INTERNAL', 1);";

static void add_rows_of_two_people(struct storage *storage)
{
    assert_int_equal(fixture_add_account(storage, "mira", STORAGE_PLAYER), 1);
    assert_int_equal(fixture_add_account(storage, "bob", STORAGE_PLAYER), 2);
    assert_ok(sql_run_script(storage, rows_of_two_people));
}

static void an_export_has_what_is_the_persons_own_and_no_secret(void **state)
{
    const struct fixture *fixture = *state;
    static struct text text;
    static const char *const wanted[] = {
        "name=mira kind=player role=player ",
        "has_password=true has_authenticator=true ",
        "fingerprint=SHA256:miras ",
        "address=192.0.2.1 ",
        "[former_names] | name=oldname ",
        "[friends] | name=bob ",
        "[blocks] [",
        "[seats] | table_id=1 game=whist seat=0 is_host=true ",
        "move=PLAYED1 ",
        "seat=0 score=12 rank=1 is_winner=true ",
        "state=playing ",
        "state=unfinished ",
        "channel=lobby ",
        "text=SAID ",
        "channel=tell table_id=null to_name=bob text=SENT ",
        "[messages_received] | number=3 from_name=bob text=RECEIVED ",
        "text=COMPLAINT at_ms=1 state=resolved answer=ANSWER ",
        "kind=mute reason=REASON ",
        "appeal=APPEAL ",
    };
    static const char *const unwanted[] = {"SECRET",  "PLAYED2",    "PLAYED3",  "BOBS",
                                           "FOREIGN", "ACCUSATION", "INTERNAL", "STAFFNAME"};

    add_rows_of_two_people(fixture->storage);
    assert_ok(sql_run_script(fixture->storage,
                             "INSERT INTO table_seats VALUES (1, 0, 1, 1, 'mira', '', 0)"));
    export_as_text(fixture->storage, 1, &text);
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        if (strstr(text.at, wanted[i]) == NULL) {
            fail_msg("\"%s\" is not in\n%s", wanted[i], text.at);
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(unwanted); i++) {
        if (strstr(text.at, unwanted[i]) != NULL) {
            fail_msg("\"%s\" is in\n%s", unwanted[i], text.at);
        }
    }
}

/* Where the name of an erased account may still stand. deploy/OPERATING.md says the same. */
static const char *const names_that_stay[] = {"reports.by_name", "reports.about_name",
                                              "sanctions.name", "tables.host_name"};

struct search {
    struct storage *storage;
    size_t columns, found;
};

/* Columns of the query: table, column. */
static void look_for_name(void *context, const char *const columns[4])
{
    struct search *search = context;
    char name[2 * SCHEMA_NAME_SIZE], query[512];

    (void)snprintf(name, sizeof name, "%s.%s", columns[0], columns[1]);
    for (size_t i = 0; i < ARRAY_LEN(names_that_stay); i++) {
        if (strcmp(names_that_stay[i], name) == 0) {
            return;
        }
    }
    (void)snprintf(query, sizeof query,
                   "SELECT count(*) FROM \"%s\" WHERE \"%s\" IN ('mira', 'oldname', 'SAID', 'SENT',"
                   " '192.0.2.1', 'SHA256:miras', 'https://SECRET4/')",
                   columns[0], columns[1]);
    search->columns++;
    if (fixture_read_number(search->storage, query) != 0) {
        print_error("%s still has the erased person's words or name\n", name);
        search->found++;
    }
}

static void after_an_erasure_nothing_of_the_person_is_left_but_cases(void **state)
{
    SKIP_ON_POSTGRES("looks through all columns that SQLite lists");
    const struct fixture *fixture = *state;
    struct search search = {.storage = fixture->storage};
    static struct text text;
    bool is_more = true;

    add_rows_of_two_people(fixture->storage);
    assert_ok(storage_account_erase(fixture->storage, 1, "gone-1"));
    while (is_more) {
        assert_ok(storage_chat_continue_rewrites(fixture->storage, 100, &is_more));
    }
    schema_query("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                 " WHERE t.type = 'table' AND c.type = 'TEXT'",
                 look_for_name, &search);
    assert_true(search.columns > 90);
    assert_int_equal(search.found, 0);
    export_as_text(fixture->storage, 1, &text);
    assert_null(strstr(text.at, "mira"));
    assert_non_null(strstr(text.at, "name=gone-1 "));
    assert_non_null(strstr(text.at, "is_closed=true "));
}

TEST_GROUP(account_export)
{
    schema_follow_connections();
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_column_that_holds_an_account_is_exported_or_left_out_for_a_reason),
        FIXTURE_TEST(an_export_has_what_is_the_persons_own_and_no_secret),
        FIXTURE_TEST(after_an_erasure_nothing_of_the_person_is_left_but_cases),
    };
    return cmocka_run_group_tests_name("account_export", tests, NULL, NULL);
}
