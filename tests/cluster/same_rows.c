#include "tests/cluster/same_rows.h"

#include "storage/copies.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static void ignore_progress(void *context, int64_t rows)
{
    (void)context;
    (void)rows;
}

static bool is_same_table(const struct copy_rows *rows, const char *title)
{
    if (copy_rows_compare(rows) == STORAGE_OK) {
        return true;
    }
    print_error("%s: %s\n", title, rows->postgres->why);
    return false;
}

static void note_rows(struct storage *from, const char *table, struct same_rows_tables *compared)
{
    char query[128];
    int64_t has_rows = 0;
    size_t i = 0;
    while (i < compared->count && strcmp(compared->tables[i].name, table) != 0) {
        i++;
    }
    assert_true(i < SAME_ROWS_TABLES_MAX);
    if (i == compared->count) {
        (void)snprintf(compared->tables[i].name, sizeof compared->tables[i].name, "%s", table);
        compared->count++;
    }
    (void)snprintf(query, sizeof query, "SELECT EXISTS (SELECT 1 FROM \"%s\")", table);
    assert_int_equal(sql_read_number(from, query, &has_rows), STORAGE_OK);
    compared->tables[i].has_rows |= has_rows != 0;
}

bool same_rows_in_both(const char *path, const char *url, const char *title,
                       struct same_rows_tables *compared)
{
    char why[STORAGE_WHY_SIZE] = "";
    char version[128];
    struct storage *from = NULL;
    struct copy_postgres to;
    struct copy_schema schema = {.tables = NULL};
    bool is_same = true;
    /* the copy of the file is complete: its log of new moves was settled */
    assert_int_equal(storage_open_temporary_copy(path, &from, why), STORAGE_OK);
    /* the only row that PostgreSQL has more: the number of its schema */
    (void)snprintf(version, sizeof version,
                   "INSERT INTO meta (name, value) VALUES ('schema_version', %zu)",
                   storage_schema_version());
    assert_int_equal(sql_run_script(from, version), STORAGE_OK);
    assert_int_equal(copy_postgres_connect(&to, url, why), STORAGE_OK);
    assert_int_equal(copy_schema_read(from, &to, &schema), STORAGE_OK);
    assert_true(schema.table_count > 0);
    for (size_t i = 0; i < schema.table_count; i++) {
        const struct copy_rows rows = {from, &to, &schema.tables[i], ignore_progress, NULL};
        is_same &= is_same_table(&rows, title);
        note_rows(from, schema.tables[i].name, compared);
    }
    copy_schema_clear(&schema);
    copy_postgres_close(&to);
    storage_close(from);
    return is_same;
}
