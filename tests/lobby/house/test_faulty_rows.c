#include "tests/environment.h"
#include "tests/lobby/evening.h"
#include "tests/lobby/seen_by_all.h"
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A missing or wrong row affects only the thing that it belongs to, never the whole house. The test
 * deletes a row of each database table, or changes one value. Then a core starts on that file, and
 * everybody returns, sends all requests, plays and leaves. FAULTY_ROWS=1 tries four times as many
 * changes; FAULTY_ROWS_SHOWN=1 prints each change. */

#define STATEMENT_MAX 1024
#define ROWS_EACH 2 /* rows to change in each database table: the first and the last */

struct column {
    char table[64], key[128], name[64], type[16];
};

struct columns {
    struct column list[600];
    size_t count;
};

static void run_sql(sqlite3 *db, const char *sql, bool may_fail)
{
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK && !may_fail) {
        fail_msg("%s: %s", sql, why);
    }
    sqlite3_free(why);
}

static int collect_column(void *context, int count, char **values, char **names)
{
    struct columns *columns = context;
    struct column *column = &columns->list[columns->count++];
    (void)count;
    (void)names;
    assert_in_range(columns->count, 1, ARRAY_LEN(columns->list));
    (void)snprintf(column->table, sizeof(column->table), "%s", values[0]);
    (void)snprintf(column->key, sizeof(column->key), "%s", values[1] == NULL ? "rowid" : values[1]);
    (void)snprintf(column->name, sizeof(column->name), "%s", values[2]);
    (void)snprintf(column->type, sizeof(column->type), "%s", values[3]);
    return 0;
}

static void read_database_columns(const char *path, struct columns *columns)
{
    static const char query[] =
        "SELECT m.name, (SELECT group_concat('\"' || k.name || '\"') FROM"
        " pragma_table_info(m.name) k WHERE k.pk > 0), c.name, c.type"
        " FROM sqlite_master m, pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid";
    sqlite3 *db = NULL;
    columns->count = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, query, collect_column, columns, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

/* Writes the SQL condition that selects the first or the last row. */
static void write_condition_for_row(const struct column *column, size_t row,
                                    char out[STATEMENT_MAX])
{
    (void)snprintf(out, STATEMENT_MAX,
                   "WHERE (%s) IN (SELECT %s FROM \"%s\" ORDER BY %s LIMIT 1 OFFSET"
                   " (SELECT max(count(*) - 1, 0) * %zu / %d FROM \"%s\"))",
                   column->key, column->key, column->table, column->key, row, ROWS_EACH - 1,
                   column->table);
}

/* Runs the SQL statement on the file; returns true when it changed a row. */
static bool change_file_with_sql(const char *path, const char *statement)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;", false);
    run_sql(db, statement, true); /* the database schema may refuse the change */
    bool is_changed = sqlite3_changes(db) > 0;
    (void)sqlite3_close(db);
    return is_changed;
}

static bool house_survives_change(struct driver *driver, const char *statement)
{
    static uint64_t changes = 0;
    if (!environment_tries(changes++)) {
        return true;
    }
    if (!change_file_with_sql(evening_copy_database_file(driver), statement)) {
        return true;
    }
    if (getenv("FAULTY_ROWS_SHOWN") != NULL) {
        print_message("%s\n", statement); /* after a crash, the last line printed shows its cause */
    }
    bool is_good = evening_house_survives_changed_file(driver);
    if (!is_good) {
        print_error("the house fails after: %s\n", statement);
    }
    return is_good;
}

static void one_missing_row_does_not_keep_the_house_from_opening(void **state)
{
    struct driver *driver = *state;
    static struct columns columns;
    char where[STATEMENT_MAX], statement[2 * STATEMENT_MAX];
    unsigned deaths = 0;
    read_database_columns(evening_copy_database_file(driver), &columns);
    for (size_t i = 0; i < columns.count; i++) {
        bool is_new_table = i == 0 || strcmp(columns.list[i].table, columns.list[i - 1].table) != 0;
        for (size_t row = 0; is_new_table && row < ROWS_EACH; row++) {
            write_condition_for_row(&columns.list[i], row, where);
            (void)snprintf(statement, sizeof(statement), "DELETE FROM \"%s\" %s",
                           columns.list[i].table, where);
            deaths += !house_survives_change(driver, statement);
        }
    }
    assert_int_equal(deaths, 0);
}

/* Returns whether the test writes a value into a column. To save time, it writes the first value
 * only into columns with an even index, the second value only into the other columns, and all later
 * values into every column; with FAULTY_ROWS it writes every value into every column. */
static bool is_value_tried(size_t column_index, size_t value_index)
{
    return value_index > 1 || column_index % 2 == value_index || getenv("FAULTY_ROWS") != NULL;
}

/* Returns whether the test makes a change to a row. To save time, it makes each change to one row
 * only: a change with an even index to the first row, the others to the last row; with FAULTY_ROWS
 * it makes every change to both rows. */
static bool is_row_tried(size_t change_index, size_t row_index)
{
    return change_index % ROWS_EACH == row_index || getenv("FAULTY_ROWS") != NULL;
}

static bool house_survives_changed_value(struct driver *driver, const struct column *column,
                                         size_t row, const char *value)
{
    char where[STATEMENT_MAX], statement[2 * STATEMENT_MAX];
    write_condition_for_row(column, row, where);
    (void)snprintf(statement, sizeof(statement), "UPDATE \"%s\" SET \"%s\" = %s %s", column->table,
                   column->name, value, where);
    return house_survives_change(driver, statement);
}

static void one_wrong_value_does_not_keep_the_house_from_opening(void **state)
{
    static const struct {
        const char *type, *value;
    } values[] = {{"INTEGER", "99"}, {"INTEGER", "-1"}, {"TEXT", "'x'"}, {"REAL", "-1e300"}};
    struct driver *driver = *state;
    static struct columns columns;
    unsigned deaths = 0;
    driver->is_damaged = true;
    read_database_columns(evening_copy_database_file(driver), &columns);
    for (size_t i = 0; i < columns.count; i++) {
        for (size_t k = 0; k < ARRAY_LEN(values); k++) {
            if (strcmp(values[k].type, columns.list[i].type) != 0 || !is_value_tried(i, k)) {
                continue;
            }
            for (size_t row = 0; row < ROWS_EACH; row++) {
                deaths +=
                    is_row_tried(i + k, row) &&
                    !house_survives_changed_value(driver, &columns.list[i], row, values[k].value);
            }
        }
    }
    assert_int_equal(deaths, 0);
}

TEST_GROUP(faulty_rows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_missing_row_does_not_keep_the_house_from_opening),
        cmocka_unit_test(one_wrong_value_does_not_keep_the_house_from_opening),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
