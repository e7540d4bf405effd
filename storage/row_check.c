#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/chat/chat.h"
#include "storage/copies.h"
#include "storage/mod/mod.h"
#include "storage/people/people.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"
#include "storage/tables/tables.h"
#include "storage/upkeep/upkeep.h"
#include "storage/webhooks/hooks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These tell whether the reader of a kind of column (ROW_TAKE in sql.h) gives back what is stored
 * in the next one. */

static bool holds_number(struct sql *q, int64_t most)
{
    const int64_t value = sql_read_int(q);

    return value >= 0 && value <= most;
}

static bool holds_text(struct sql *q, size_t size)
{
    return strlen(sql_borrow_text(q)) < size;
}

static bool holds_bytes(struct sql *q, size_t size)
{
    size_t len = 0;

    return sql_borrow_bytes(q, &len) != NULL && len == size;
}

#define HOLDS_INTEGER(type, last, place) (number = sql_read_int(q), (int64_t)(type)number == number)
/* a flag may be a time, such as when a line was hidden */
#define HOLDS_FLAG(type, last, place) holds_number(q, INT64_MAX)
#define HOLDS_CHOICE(type, last, place) holds_number(q, last)
#define HOLDS_LINK(type, last, place) holds_number(q, INT64_MAX)
#define HOLDS_REAL(type, last, place) isfinite(sql_read_real(q))
#define HOLDS_TEXT(type, last, place) holds_text(q, sizeof(place))
#define HOLDS_BYTES(type, last, place) holds_bytes(q, sizeof(place))
#define HOLDS_BORROWED(type, last, place) holds_text(q, last)

#define CHECK_COLUMN(...) STORAGE_COLUMN(CHECK_COLUMN_OF, __VA_ARGS__)
#define CHECK_COLUMN_OF(how, type, after, last, member, column)                                    \
    bad = HOLDS_##how(type, last, row->member) ? bad : #column;

/* Every kind of row: its table, its struct and its list of columns. */
#define ROW_KINDS(KIND)                                                                            \
    KIND(accounts, storage_account, STORAGE_ACCOUNT_COLUMNS)                                       \
    KIND(keys, storage_key, STORAGE_KEY_COLUMNS)                                                   \
    KIND(codes, storage_code, STORAGE_CODE_COLUMNS)                                                \
    KIND(totp, storage_totp, STORAGE_TOTP_COLUMNS)                                                 \
    KIND(former_names, storage_former_name, STORAGE_FORMER_NAME_COLUMNS)                           \
    KIND(account_notices, storage_notice, STORAGE_NOTICE_COLUMNS)                                  \
    KIND(player_times, storage_time_away, STORAGE_TIME_AWAY_COLUMNS)                               \
    KIND(backoffs, storage_backoff, STORAGE_BACKOFF_COLUMNS)                                       \
    KIND(registrations, storage_registration, STORAGE_REGISTRATION_COLUMNS)                        \
    KIND(tables, storage_table, STORAGE_TABLE_ALL_COLUMNS)                                         \
    KIND(table_seats, storage_seat, STORAGE_SEAT_COLUMNS)                                          \
    KIND(table_clocks, storage_clock, STORAGE_CLOCK_COLUMNS)                                       \
    KIND(invitations, storage_invitation, STORAGE_INVITATION_COLUMNS)                              \
    KIND(games, storage_game, STORAGE_GAME_COLUMNS)                                                \
    KIND(game_seats, storage_seat, STORAGE_SEAT_COLUMNS)                                           \
    KIND(seat_changes, storage_seat, STORAGE_SEAT_COLUMNS)                                         \
    KIND(seat_changes, storage_seat_change, STORAGE_CHANGE_COLUMNS)                                \
    KIND(moves, storage_move, STORAGE_MOVE_COLUMNS)                                                \
    KIND(scores, storage_score, STORAGE_SCORE_COLUMNS)                                             \
    KIND(scores, storage_seat, STORAGE_SEAT_COLUMNS)                                               \
    KIND(reviews, storage_shared_replay, STORAGE_SHARED_REPLAY_COLUMNS)                            \
    KIND(connections, storage_connection, STORAGE_CONNECTION_COLUMNS)                              \
    KIND(guests, storage_guest, STORAGE_GUEST_COLUMNS)                                             \
    KIND(chat, storage_chat, STORAGE_CHAT_COLUMNS)                                                 \
    KIND(news, storage_news, STORAGE_NEWS_COLUMNS)                                                 \
    KIND(sanctions, storage_sanction, STORAGE_SANCTION_COLUMNS)                                    \
    KIND(reports, storage_report, STORAGE_REPORT_ALL_COLUMNS)                                      \
    KIND(staff_notes, storage_note, STORAGE_NOTE_COLUMNS)                                          \
    KIND(decisions, storage_decision, STORAGE_DECISION_COLUMNS)                                    \
    KIND(audit, storage_audit, STORAGE_AUDIT_COLUMNS)                                              \
    KIND(hooks, storage_hook, STORAGE_HOOK_COLUMNS)                                                \
    KIND(hook_events, storage_hook_event, STORAGE_HOOK_EVENT_COLUMNS)                              \
    KIND(ratings, storage_rating, STORAGE_RATING_COLUMNS)                                          \
    KIND(rating_changes, storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS)                 \
    KIND(refunds, storage_refund, STORAGE_REFUND_COLUMNS)

/* Makes the function that checks the current row of a kind. It returns the name of a column that
 * does not read back; NULL if all do. */
#define ROW_CHECK(table, type, LIST)                                                               \
    static const char *check_##table##_##type(struct sql *q)                                       \
    {                                                                                              \
        const struct type *row = NULL; /* only the sizes of its members are used */                \
        const char *bad = NULL;                                                                    \
        int64_t number = 0;                                                                        \
        LIST(CHECK_COLUMN, CHECK_COLUMN)                                                           \
        (void)row;                                                                                 \
        (void)number;                                                                              \
        return bad;                                                                                \
    }

ROW_KINDS(ROW_CHECK)

#define ROW_KIND(table, type, LIST) {#table, ROW_SELECT(#table, LIST), check_##table##_##type},

static const struct kind {
    const char *table, *query;
    const char *(*check)(struct sql *q);
} kinds[] = {ROW_KINDS(ROW_KIND)};

static enum storage_result check_rows(struct storage *storage, const struct kind *kind,
                                      const struct storage_findings *findings)
{
    struct sql q = sql_read(storage, kind->query);
    const char *column = NULL;
    int64_t bad_rows = 0;

    while (sql_next_row(&q)) {
        const char *bad = kind->check(&q);
        bad_rows += bad != NULL;
        column = bad != NULL ? bad : column;
    }
    if (bad_rows > 0) {
        char words[STORAGE_WHY_SIZE];
        (void)snprintf(words, sizeof words,
                       "%s: %" PRId64 " rows have values that this program would read as others,"
                       " such as in the column %s",
                       kind->table, bad_rows, column);
        findings->hear(findings->context, words);
    }
    return sql_end(&q);
}

enum storage_result row_check(struct storage *storage, const struct storage_findings *findings,
                              char why[STORAGE_WHY_SIZE])
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < ARRAY_LEN(kinds); i++) {
        result = check_rows(storage, &kinds[i], findings);
    }
    (void)snprintf(why, STORAGE_WHY_SIZE, "%s", result == STORAGE_OK ? "" : storage->why);
    return result;
}

/* The names and definitions of all things in a schema, sorted by name. */

/* The tables sqlite_stat… are SQLite's own, with which it plans queries. */
static const char things_of_sqlite[] =
    "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema"
    " WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1";

/* What belongs to an extension, such as the views of pg_stat_statements, is left out. */
static const char things_of_postgres[] =
    "WITH own AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    " AND oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')), things (name, definition)"
    " AS (SELECT 'column ' || c.relname || '.' || a.attname,"
    " concat(c.relkind, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,"
    " pg_get_expr(d.adbin, d.adrelid)) FROM own c"
    " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
    " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
    " WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p')"
    " UNION ALL SELECT 'view ' || relname, pg_get_viewdef(oid) FROM own"
    " WHERE relkind IN ('v', 'm')"
    " UNION ALL SELECT 'index ' || relname, pg_get_indexdef(oid) FROM own WHERE relkind = 'i'"
    " UNION ALL SELECT 'constraint ' || c.relname || '.' || k.conname,"
    " pg_get_constraintdef(k.oid) FROM own c JOIN pg_constraint k ON k.conrelid = c.oid"
    " UNION ALL SELECT 'trigger ' || c.relname || '.' || t.tgname,"
    " concat(pg_get_triggerdef(t.oid), t.tgenabled)"
    " FROM own c JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal"
    " UNION ALL SELECT 'rule ' || c.relname || '.' || r.rulename, pg_get_ruledef(r.oid)"
    " FROM own c JOIN pg_rewrite r ON r.ev_class = c.oid WHERE r.rulename <> '_RETURN'"
    " UNION ALL SELECT 'policy ' || c.relname || '.' || p.polname, ''"
    " FROM own c JOIN pg_policy p ON p.polrelid = c.oid"
    " UNION ALL SELECT concat('function ', proname, '(',"
    " pg_get_function_identity_arguments(oid), ')'),"
    " concat(prokind, pg_get_function_result(oid), prosecdef, prosrc)"
    " FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
    " AND oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e'))"
    " SELECT name, replace(definition, current_schema() || '.', '') FROM things"
    " ORDER BY name COLLATE \"C\"";

/* A list of things, of which one is current. */
struct things {
    struct sql q;
    bool is_there; /* false: the list is at its end */
    const char *name, *definition;
};

static void go_to_next_thing(struct things *things)
{
    things->is_there = sql_next_row(&things->q);
    if (things->is_there) {
        things->name = sql_borrow_text(&things->q);
        things->definition = sql_borrow_text(&things->q);
    }
}

static void report(const struct storage_findings *findings, const char *what, const char *name)
{
    char words[STORAGE_WHY_SIZE];

    (void)snprintf(words, sizeof words, "the schema %.60s: %.180s", what, name);
    findings->hear(findings->context, words);
}

/* Compares the current things of both lists, and goes on to the next. */
static void compare_current_things(struct things *found, struct things *wanted,
                                   const struct storage_findings *findings)
{
    const int order = !found->is_there    ? 1
                      : !wanted->is_there ? -1
                                          : strcmp(found->name, wanted->name);

    if (order < 0) {
        report(findings, "has something that no house makes", found->name);
    } else if (order > 0) {
        report(findings, "lacks something", wanted->name);
    } else if (strcmp(found->definition, wanted->definition) != 0) {
        report(findings, "has something in another form than a house makes", found->name);
    }
    if (order <= 0) {
        go_to_next_thing(found);
    }
    if (order >= 0) {
        go_to_next_thing(wanted);
    }
}

static enum storage_result compare(struct storage *storage, struct storage *expected,
                                   const char *query, const struct storage_findings *findings,
                                   char why[STORAGE_WHY_SIZE])
{
    struct things found = {.q = sql_read(storage, query)};
    struct things wanted = {.q = sql_read(expected, query)};

    go_to_next_thing(&found);
    go_to_next_thing(&wanted);
    while (found.is_there || wanted.is_there) {
        compare_current_things(&found, &wanted, findings);
    }
    const enum storage_result result = sql_end(&found.q);
    const enum storage_result ended = sql_end(&wanted.q);
    if (result != STORAGE_OK || ended != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s",
                       (result != STORAGE_OK ? storage : expected)->why);
    }
    return result != STORAGE_OK ? result : ended;
}

enum storage_result schema_check(struct storage *storage, const struct storage_findings *findings,
                                 char why[STORAGE_WHY_SIZE])
{
    struct storage *expected = NULL;

    RETURN_FAILURE(storage_open(STORAGE_IN_MEMORY, &expected, why));
    const enum storage_result result = compare(storage, expected, things_of_sqlite, findings, why);
    storage_close(expected);
    return result;
}

/* Makes the tables to compare with; whoever closes the storage rolls them back. */
static enum storage_result make_expected_tables(struct storage *storage, char why[STORAGE_WHY_SIZE])
{
    size_t count = 0;
    const struct migration *steps = migrate_postgres_list_steps(&count);
    enum storage_result result =
        sql_run_script(storage, "BEGIN; CREATE SCHEMA trickhouse_check;"
                                " SET LOCAL search_path TO trickhouse_check");

    for (size_t i = 0; result == STORAGE_OK && i < count; i++) {
        result = sql_run_script(storage, steps[i].text);
    }
    if (result != STORAGE_OK) {
        return storage_fail(why, STORAGE_REFUSED, "%s", storage->why);
    }
    return STORAGE_OK;
}

enum storage_result schema_check_postgres(const char *url, const struct storage_findings *findings,
                                          char why[STORAGE_WHY_SIZE])
{
    struct storage *storage = NULL;
    struct storage *expected = NULL;
    enum storage_result result = sql_postgres_open(url, &storage, why);

    if (result == STORAGE_OK) {
        result = sql_postgres_open(url, &expected, why);
    }
    if (result == STORAGE_OK) {
        result = make_expected_tables(expected, why);
    }
    if (result == STORAGE_OK) {
        result = compare(storage, expected, things_of_postgres, findings, why);
    }
    storage_close(expected);
    storage_close(storage);
    return result;
}
