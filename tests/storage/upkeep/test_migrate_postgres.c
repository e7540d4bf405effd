#include "storage/upkeep/upkeep.h"

#include "storage/house/house.h"
#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_MAX 800
#define LINE_SIZE 256

/* The lines that a query returns, in their order. */
struct lines {
    size_t count;
    char at[LINES_MAX][LINE_SIZE];
};

static void read_lines(struct storage *storage, const char *query, struct lines *lines)
{
    struct sql q = sql_read(storage, query);

    lines->count = 0;
    while (sql_next_row(&q)) {
        assert_true(lines->count < LINES_MAX);
        sql_read_text(&q, lines->at[lines->count++], LINE_SIZE);
    }
    assert_ok(sql_end(&q));
}

static bool has_line(const struct lines *lines, const char *line)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->at[i], line) == 0) {
            return true;
        }
    }
    return false;
}

/* What only PostgreSQL has begins with one of these. */
static const char *const only_in_postgres[] = {NULL};

static bool may_be_missing(const char *line)
{
    for (size_t i = 0; only_in_postgres[i] != NULL; i++) {
        if (strncmp(line, only_in_postgres[i], strlen(only_in_postgres[i])) == 0) {
            return true;
        }
    }
    return false;
}

static size_t report_missing(const char *database, const struct lines *wanted,
                             const struct lines *found)
{
    size_t missing = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        if (!has_line(found, wanted->at[i]) && !may_be_missing(wanted->at[i])) {
            print_error("%s lacks: %s\n", database, wanted->at[i]);
            missing++;
        }
    }
    return missing;
}

/* Asserts that two queries, each in its database, return the same lines. */
static void assert_same_lines(struct fixture *fixture, const char *of_sqlite,
                              const char *of_postgres)
{
    static struct lines sqlite, postgres;
    char why[STORAGE_WHY_SIZE];
    struct storage *house = NULL;

    assert_ok(storage_open(STORAGE_IN_MEMORY, &house, why));
    read_lines(house, of_sqlite, &sqlite);
    storage_close(house);
    read_lines(fixture->storage, of_postgres, &postgres);
    assert_true(sqlite.count > 20);
    assert_int_equal(report_missing("PostgreSQL", &sqlite, &postgres) +
                         report_missing("SQLite", &postgres, &sqlite),
                     0);
}

static void every_table_and_view_has_the_same_columns_as_in_sqlite(void **state)
{
    SKIP_ON_SQLITE();
    assert_same_lines(*state,
                      "SELECT t.name || '.' || c.cid || ' ' || c.name FROM sqlite_schema t,"
                      " pragma_table_info(t.name) c WHERE t.name NOT LIKE 'sqlite%'",
                      "SELECT table_name || '.' || ordinal_position - 1 || ' ' || column_name"
                      " FROM information_schema.columns WHERE table_schema = current_schema()");
}

static void every_column_has_the_same_type_default_and_key_as_in_sqlite(void **state)
{
    SKIP_ON_SQLITE();
    assert_same_lines(
        *state,
        "SELECT t.name || '.' || c.name || ' ' || CASE c.type WHEN 'INTEGER' THEN 'bigint'"
        " WHEN 'REAL' THEN 'double precision' WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytea'"
        " ELSE c.type END || CASE WHEN c.\"notnull\" OR c.pk > 0 THEN ' not null' ELSE '' END ||"
        " coalesce(' default ' || c.dflt_value, '') ||"
        " CASE c.pk WHEN 0 THEN '' ELSE ' key ' || c.pk END"
        " FROM sqlite_schema t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'",
        "SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, -1) ||"
        " CASE WHEN a.attnotnull THEN ' not null' ELSE '' END ||"
        " coalesce(' default ' || replace(pg_get_expr(d.adbin, d.adrelid), '::text', ''), '') ||"
        " coalesce(' key ' || array_position(k.conkey, a.attnum), '')"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
        " LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"
        " LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'"
        " WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace");
}

/* SQLite gives a new number to an INTEGER PRIMARY KEY that is no number of another table. */
static void every_column_that_sqlite_numbers_is_numbered(void **state)
{
    SKIP_ON_SQLITE();
    assert_same_lines(
        *state,
        "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND c.pk = 1 AND c.type = 'INTEGER'"
        " AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) o WHERE o.pk = 2)"
        " AND t.name <> 'connections' AND NOT EXISTS (SELECT 1 FROM"
        " pragma_foreign_key_list(t.name) f WHERE f.\"from\" = c.name)"
        " UNION SELECT 'and ' || name FROM sqlite_schema WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite%'",
        "SELECT table_name || '.' || column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND is_identity = 'YES'"
        " UNION SELECT 'and ' || tablename FROM pg_tables WHERE schemaname = current_schema()");
}

static void every_index_is_on_the_same_columns_as_in_sqlite(void **state)
{
    SKIP_ON_SQLITE();
    assert_same_lines(
        *state,
        "SELECT t.name || ' ' || i.name || CASE i.partial WHEN 1 THEN ' partial' ELSE '' END ||"
        " (SELECT group_concat(' ' || coalesce(c.name, 'expression'), '')"
        " FROM pragma_index_info(i.name) c)"
        " FROM sqlite_schema t, pragma_index_list(t.name) i"
        " WHERE t.type = 'table' AND i.name NOT LIKE 'sqlite%'",
        "SELECT t.relname || ' ' || x.relname ||"
        " CASE WHEN i.indpred IS NULL THEN '' ELSE ' partial' END ||"
        " (SELECT string_agg(' ' || coalesce(a.attname, 'expression'), '' ORDER BY k.place)"
        " FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place)"
        " LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0)"
        " FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid"
        " JOIN pg_class t ON t.oid = i.indrelid"
        " WHERE t.relnamespace = current_schema()::regnamespace"
        " AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = x.oid"
        " AND c.contype IN ('p', 'u'))");
}

static void every_reference_is_enforced_as_in_sqlite(void **state)
{
    SKIP_ON_SQLITE();
    assert_same_lines(
        *state,
        "SELECT t.name || '.' || f.\"from\" || ' ' || f.\"table\" || '.' || coalesce(f.\"to\", '')"
        " || ' ' || f.on_delete FROM sqlite_schema t, pragma_foreign_key_list(t.name) f"
        " WHERE t.type = 'table'",
        "SELECT t.relname || '.' || a.attname || ' ' || o.relname || '.' || b.attname ||"
        " CASE k.confdeltype WHEN 'a' THEN ' NO ACTION' WHEN 'c' THEN ' CASCADE' ELSE ' other' END"
        " FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid"
        " JOIN pg_class o ON o.oid = k.confrelid"
        " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1]"
        " JOIN pg_attribute b ON b.attrelid = o.oid AND b.attnum = k.confkey[1]"
        " WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace");
}

static void a_new_database_has_the_schema_version_of_the_program(void **state)
{
    struct fixture *fixture = *state;
    char version[STORAGE_META_SIZE];

    SKIP_ON_SQLITE();
    assert_ok(storage_meta_get(fixture->storage, MIGRATE_VERSION_ROW, version));
    assert_int_equal(strtol(version, NULL, 10), storage_schema_version());
}

static void assert_open_fails(struct fixture *fixture, const char *url, enum storage_result wanted,
                              const char *expected_word)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;

    storage_close(fixture->storage);
    fixture->storage = NULL;
    assert_result(storage_open(url, &storage, why), wanted);
    assert_null(storage);
    if (strstr(why, expected_word) == NULL) {
        fail_msg("\"%s\" is not in: %s", expected_word, why);
    }
}

static void a_database_with_a_newer_schema_is_refused(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_ok(storage_meta_set(fixture->storage, MIGRATE_VERSION_ROW, "1000"));
    fixture_commit(fixture);
    assert_open_fails(fixture, fixture->path, STORAGE_NEWER, "schema version 1000");
}

static void a_database_of_version_0_2_0_is_refused_by_name_and_unchanged(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_true(postgres_schema_run(fixture->path,
                                    "UPDATE meta SET name = '" MIGRATE_OLD_VERSION_ROW
                                    "', value = '39' WHERE name = '" MIGRATE_VERSION_ROW "'"));
    assert_open_fails(fixture, fixture->path, STORAGE_OLDER, "0.2.0 or older (data format 39)");
    assert_open_fails(fixture, fixture->path, STORAGE_OLDER,
                      "houses of Trickhouse 0.3.0 and newer");
}

static void a_database_of_another_program_is_refused_and_unchanged(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_true(postgres_schema_run(fixture->path, "DROP TABLE meta"));
    assert_open_fails(fixture, fixture->path, STORAGE_FOREIGN, "other program");
    assert_open_fails(fixture, fixture->path, STORAGE_FOREIGN, "other program");
}

static void a_database_that_does_not_hold_utf8_is_refused(void **state)
{
    struct fixture *fixture = *state;
    char url[2 * POSTGRES_SCHEMA_URL_SIZE];
    char name[32], script[160];

    SKIP_ON_SQLITE();
    (void)snprintf(name, sizeof name, "ascii_%d", (int)getpid());
    (void)snprintf(script, sizeof script,
                   "CREATE DATABASE %s ENCODING SQL_ASCII LOCALE 'C' TEMPLATE template0", name);
    assert_true(postgres_schema_run(fixture->path, script));
    (void)snprintf(url, sizeof url, "%.*s?dbname=%s&%s", (int)strcspn(fixture->path, "?"),
                   fixture->path, name, &fixture->path[strcspn(fixture->path, "?") + 1]);
    assert_open_fails(fixture, url, STORAGE_FOREIGN, "--locale=C.UTF-8");
    (void)snprintf(script, sizeof script, "DROP DATABASE %s", name);
    assert_true(postgres_schema_run(fixture->path, script));
}

static void opening_the_database_again_changes_nothing(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
    for (int i = 0; i < 2; i++) {
        fixture_reopen(fixture);
        assert_int_equal(fixture_read_number(fixture->storage, "SELECT count(*) FROM meta"), 2);
    }
}

TEST_GROUP(migrate_postgres)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_table_and_view_has_the_same_columns_as_in_sqlite),
        FIXTURE_TEST(every_column_has_the_same_type_default_and_key_as_in_sqlite),
        FIXTURE_TEST(every_column_that_sqlite_numbers_is_numbered),
        FIXTURE_TEST(every_index_is_on_the_same_columns_as_in_sqlite),
        FIXTURE_TEST(every_reference_is_enforced_as_in_sqlite),
        FIXTURE_TEST(a_new_database_has_the_schema_version_of_the_program),
        FIXTURE_TEST(a_database_with_a_newer_schema_is_refused),
        FIXTURE_TEST(a_database_of_version_0_2_0_is_refused_by_name_and_unchanged),
        FIXTURE_TEST(a_database_of_another_program_is_refused_and_unchanged),
        FIXTURE_TEST(a_database_that_does_not_hold_utf8_is_refused),
        FIXTURE_TEST(opening_the_database_again_changes_nothing),
    };
    return cmocka_run_group_tests_name("migrate_postgres", tests, NULL, NULL);
}
