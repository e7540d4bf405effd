#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

static struct fixture_findings check_schema(const struct fixture *fixture)
{
    struct fixture_findings heard = {0};
    const struct storage_findings findings = {fixture_keep_finding, &heard};
    char why[STORAGE_WHY_SIZE] = "";

    const enum storage_result result = fixture_is_postgres()
                                           ? schema_check_postgres(fixture->path, &findings, why)
                                           : schema_check(fixture->storage, &findings, why);
    assert_string_equal(why, "");
    assert_ok(result);
    return heard;
}

/* A fixture like those of other tests, without the function that they add to PostgreSQL. */
static int set_up_plain_schema(void **state)
{
    (void)fixture_setup(state);
    const struct fixture *fixture = *state;
    if (fixture_is_postgres()) {
        assert_ok(sql_run_script(fixture->storage, "DROP FUNCTION zeroblob(integer)"));
    }
    return 0;
}

/* Runs the script, expects one finding with these words, and undoes the script. */
static void expect_finding(const struct fixture *fixture, const char *script, const char *undo,
                           const char *words)
{
    assert_ok(sql_run_script(fixture->storage, script));
    const struct fixture_findings heard = check_schema(fixture);
    if (heard.count == 0 || strstr(heard.words, words) == NULL) {
        fail_msg("after %s: %u findings, \"%s\"", script, heard.count, heard.words);
    }
    assert_ok(sql_run_script(fixture->storage, undo));
    assert_int_equal(check_schema(fixture).count, 0);
}

static void the_schema_that_the_migrations_make_has_no_findings(void **state)
{
    assert_int_equal(check_schema(*state).count, 0);
}

static void a_strange_table_view_or_index_is_found(void **state)
{
    expect_finding(*state, "CREATE TABLE loot (id integer)", "DROP TABLE loot", "loot");
    expect_finding(*state, "CREATE VIEW spy AS SELECT name FROM accounts", "DROP VIEW spy",
                   "no house makes: view spy");
    expect_finding(*state, "CREATE INDEX slow ON accounts (seen_ms, name)", "DROP INDEX slow",
                   "no house makes: index slow");
}

static void a_strange_column_and_a_missing_index_are_found(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(sql_run_script(fixture->storage, "ALTER TABLE news ADD COLUMN extra integer"));
    assert_non_null(strstr(check_schema(fixture).words, "news"));
    assert_ok(sql_run_script(fixture->storage, "DROP INDEX games_by_end"));
    assert_int_equal(check_schema(fixture).count, 2);
}

static void a_strange_trigger_of_sqlite_is_found(void **state)
{
    SKIP_ON_POSTGRES("triggers are written in another way");
    expect_finding(*state,
                   "CREATE TRIGGER promote AFTER INSERT ON accounts BEGIN"
                   " UPDATE accounts SET role = 3 WHERE id = new.id; END",
                   "DROP TRIGGER promote", "no house makes: trigger promote");
    expect_finding(*state,
                   "DROP TRIGGER audit_keeps_rows;"
                   " CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit BEGIN SELECT 1; END",
                   "DROP TRIGGER audit_keeps_rows;"
                   " CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit\n"
                   "BEGIN\n"
                   "    SELECT RAISE(ABORT, 'the audit log keeps its rows');\n"
                   "END",
                   "in another form than a house makes: trigger audit_keeps_rows");
}

static void a_strange_or_missing_trigger_rule_or_function_of_postgres_is_found(void **state)
{
    SKIP_ON_SQLITE();
    expect_finding(*state,
                   "CREATE FUNCTION promote() RETURNS trigger LANGUAGE plpgsql AS"
                   " $$ BEGIN new.role := 3; RETURN new; END $$",
                   "DROP FUNCTION promote()", "no house makes: function promote()");
    expect_finding(*state,
                   "CREATE TRIGGER again BEFORE DELETE ON audit FOR EACH ROW"
                   " EXECUTE FUNCTION audit_keeps_rows()",
                   "DROP TRIGGER again ON audit", "no house makes: trigger audit.again");
    expect_finding(*state, "ALTER TABLE audit DISABLE TRIGGER audit_keeps_rows",
                   "ALTER TABLE audit ENABLE TRIGGER audit_keeps_rows",
                   "in another form than a house makes: trigger audit.audit_keeps_rows");
    expect_finding(*state, "CREATE RULE quiet AS ON UPDATE TO news DO INSTEAD NOTHING",
                   "DROP RULE quiet ON news", "no house makes: rule news.quiet");
    expect_finding(*state, "ALTER TABLE news ALTER COLUMN text DROP NOT NULL",
                   "ALTER TABLE news ALTER COLUMN text SET NOT NULL", "column news.text");
}

#define SCHEMA_TEST(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, set_up_plain_schema, fixture_teardown)

TEST_GROUP(schema_check)
{
    const struct CMUnitTest tests[] = {
        SCHEMA_TEST(the_schema_that_the_migrations_make_has_no_findings),
        SCHEMA_TEST(a_strange_table_view_or_index_is_found),
        SCHEMA_TEST(a_strange_column_and_a_missing_index_are_found),
        SCHEMA_TEST(a_strange_trigger_of_sqlite_is_found),
        SCHEMA_TEST(a_strange_or_missing_trigger_rule_or_function_of_postgres_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
