#include "storage/sql/postgres.h"

#include "storage/house/house.h"
#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Asserts what is read, or for NULL that there is nothing. */
static void assert_note(struct storage *storage, const char *expected)
{
    char value[STORAGE_META_SIZE] = "";

    assert_result(storage_meta_get(storage, "note", value),
                  expected == NULL ? STORAGE_NOT_FOUND : STORAGE_OK);
    assert_string_equal(value, expected == NULL ? "" : expected);
}

static void write_behind_its_back(const struct fixture *fixture, const char *value)
{
    char statement[128];

    (void)snprintf(statement, sizeof statement, "UPDATE meta SET value = '%s' WHERE name = 'note'",
                   value);
    assert_true(postgres_schema_run(fixture->path, statement));
}

static void a_read_is_kept_until_its_table_is_written(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_SQLITE();
    assert_ok(storage_meta_set(fixture->storage, "note", "one"));
    assert_note(fixture->storage, "one");
    fixture_commit(fixture);
    write_behind_its_back(fixture, "two");
    assert_note(fixture->storage, "one");
    (void)fixture_add_account(fixture->storage, "ada", STORAGE_PLAYER);
    assert_note(fixture->storage, "one");
    assert_ok(storage_meta_set(fixture->storage, "other", "x"));
    assert_note(fixture->storage, "two");
}

static void a_read_that_found_nothing_is_kept_too(void **state)
{
    struct fixture *fixture = *state;

    assert_note(fixture->storage, NULL);
    assert_note(fixture->storage, NULL);
    assert_ok(storage_meta_set(fixture->storage, "note", "one"));
    assert_note(fixture->storage, "one");
}

static void a_rollback_takes_what_was_read_in_the_transaction_away(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(storage_meta_set(fixture->storage, "note", "one"));
    fixture_commit(fixture);
    assert_ok(storage_meta_set(fixture->storage, "note", "two"));
    assert_note(fixture->storage, "two");
    storage_rollback(fixture->storage);
    assert_note(fixture->storage, "one");
}

static void writes_that_are_undone_together_take_what_was_read_away(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(storage_meta_set(fixture->storage, "note", "one"));
    assert_ok(sql_savepoint_begin(fixture->storage));
    assert_ok(storage_meta_set(fixture->storage, "note", "two"));
    assert_note(fixture->storage, "two");
    assert_result(sql_savepoint_end(fixture->storage, STORAGE_TAKEN), STORAGE_TAKEN);
    assert_note(fixture->storage, "one");
}

static void a_script_takes_what_was_read_away(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(storage_meta_set(fixture->storage, "note", "one"));
    assert_note(fixture->storage, "one");
    fixture_commit(fixture);
    assert_ok(sql_run_script(fixture->storage, "DELETE FROM meta WHERE name = 'note'"));
    assert_note(fixture->storage, NULL);
}

static bool write_in_the_midst(struct storage *storage, struct sql *q, int row)
{
    char value[8];

    sql_read_text(q, value, sizeof value);
    assert_int_equal(value[0], '0' + row);
    return storage_meta_set(storage, "row0", "changed") == STORAGE_OK;
}

static void rows_stay_while_the_table_is_written(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT value FROM meta WHERE name LIKE ? ORDER BY name";

    for (int i = 0; i < 5; i++) {
        char name[8], value[8];
        (void)snprintf(name, sizeof name, "row%d", i);
        (void)snprintf(value, sizeof value, "%d", i);
        assert_ok(storage_meta_set(fixture->storage, name, value));
    }
    fixture_commit(fixture);
    SKIP_ON_SQLITE(); /* SQLite's rows change with the table */
    struct sql *q = SQL_READ(fixture->storage, text, SQL_TEXT("row%", 8));
    for (int i = 0; i < 5; i++) {
        assert_true(sql_next_row(q));
        assert_true(write_in_the_midst(fixture->storage, q, i));
    }
    assert_false(sql_next_row(q));
    assert_ok(sql_end(q));
}

static void no_trigger_and_no_key_changes_a_table_whose_reads_are_kept(void **state)
{
    struct fixture *fixture = *state;
    static const char functions[] =
        "SELECT count(*) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
        " AND prosrc ~ ('(INSERT INTO|UPDATE|DELETE FROM) ' || ? || '\\M')";
    static const char keys[] =
        "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = (?::text)::regclass"
        " AND (confdeltype <> 'a' OR confupdtype <> 'a')";

    SKIP_ON_SQLITE();
    assert_non_null(kept_table_at(0));
    for (size_t i = 0; kept_table_at(i) != NULL; i++) {
        int64_t count = -1;
        const struct sql_value name = SQL_TEXT(kept_table_at(i), STORAGE_WORD_SIZE);
        assert_ok(statement_read_number(SQL_READ(fixture->storage, functions, name), &count));
        assert_int_equal(count, 0);
        assert_ok(statement_read_number(SQL_READ(fixture->storage, keys, name), &count));
        assert_int_equal(count, 0);
    }
}

/* The set of these tables. The texts have no other words than their names. */
static uint32_t set_of(const char *tables)
{
    uint32_t set = 0;

    for (size_t i = 0; kept_table_at(i) != NULL; i++) {
        const char *at = strstr(tables, kept_table_at(i));
        set |= at != NULL ? UINT32_C(1) << i : 0;
    }
    return set;
}

static void only_reads_of_listed_tables_are_kept(void **state)
{
    static const struct {
        const char *text;
        const char *tables; /* "": it is not kept */
    } reads[] = {
        {"SELECT value FROM rules WHERE kind = ?", "rules"},
        {"SELECT id, \"left\" FROM accounts WHERE name = ?", "accounts"},
        {"SELECT value FROM rules", "rules"},
        {"SELECT value FROM rules r WHERE kind = ?", "rules"},
        {"SELECT value FROM rules JOIN accounts ON id = kind WHERE kind = ?", "accounts rules"},
        {"SELECT * FROM (SELECT value FROM rules WHERE kind = ?) AS r", "rules"},
        {"SELECT value FROM rules WHERE kind IN (SELECT id FROM accounts)", "accounts rules"},
        {"SELECT value FROM rules WHERE kind IS DISTINCT FROM ?", "rules"},
        {"SELECT value FROM rules, boards WHERE kind = ?", ""},
        {"SELECT value FROM rules r, boards WHERE kind = ?", ""},
        {"SELECT value FROM rules JOIN boards ON step = kind WHERE kind = ?", ""},
        {"SELECT value FROM rules WHERE kind = (SELECT 1 FROM boards)", ""},
        {"SELECT (SELECT 1 FROM boards), value FROM rules WHERE kind = ?", ""},
        {"SELECT value FROM rules_of_play WHERE kind = ?", ""},
        {"SELECT 1 FROM boards WHERE game_id = ?", ""},
        {"SELECT 1", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        const struct kept_use use = kept_use_of(reads[i].text);
        assert_int_equal(use.read, set_of(reads[i].tables));
        assert_int_equal(use.written, 0);
    }
}

static void a_write_may_change_each_table_that_it_mentions(void **state)
{
    static const struct {
        const char *text;
        const char *table; /* NULL: none; "": all */
    } writes[] = {
        {"INSERT INTO ratings (account) VALUES (?)", "ratings"},
        {"DELETE FROM rules WHERE kind = ?", "rules"},
        {"WITH gone AS (DELETE FROM rules RETURNING kind) SELECT kind FROM gone", "rules"},
        {"UPDATE new_ratings SET mu = ?", NULL},
        {"UPDATE ratings_of_old SET mu = ?", NULL},
        {"BEGIN", NULL},
        {"ROLLBACK TO together", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        const struct kept_use use = kept_use_of(writes[i].text);
        const char *table = writes[i].table;
        assert_int_equal(use.read, 0);
        assert_int_equal(use.written, table == NULL   ? 0
                                      : table[0] == 0 ? UINT32_MAX
                                                      : set_of(table));
    }
}

TEST_GROUP(kept_results)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_read_is_kept_until_its_table_is_written),
        FIXTURE_TEST(a_read_that_found_nothing_is_kept_too),
        FIXTURE_TEST(a_rollback_takes_what_was_read_in_the_transaction_away),
        FIXTURE_TEST(writes_that_are_undone_together_take_what_was_read_away),
        FIXTURE_TEST(a_script_takes_what_was_read_away),
        FIXTURE_TEST(rows_stay_while_the_table_is_written),
        FIXTURE_TEST(no_trigger_and_no_key_changes_a_table_whose_reads_are_kept),
        cmocka_unit_test(only_reads_of_listed_tables_are_kept),
        cmocka_unit_test(a_write_may_change_each_table_that_it_mentions),
    };
    return cmocka_run_group_tests_name("kept_results", tests, NULL, NULL);
}
