#include "storage/copies.h"

#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Connects without running migrations. Close *storage in any case. */
static enum storage_result connect(const char *url, struct storage **storage,
                                   char why[STORAGE_WHY_SIZE])
{
    *storage = calloc(1, sizeof **storage);
    if (*storage == NULL) {
        abort(); /* out of memory */
    }
    const enum storage_result result = sql_postgres_connect(*storage, url);
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", (*storage)->why);
    }
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
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", storage->why);
        return STORAGE_REFUSED;
    }
    return STORAGE_OK;
}

enum storage_result schema_check_postgres(const char *url, const struct storage_findings *findings,
                                          char why[STORAGE_WHY_SIZE])
{
    struct storage *storage = NULL;
    struct storage *expected = NULL;
    enum storage_result result = connect(url, &storage, why);

    if (result == STORAGE_OK) {
        result = connect(url, &expected, why);
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
