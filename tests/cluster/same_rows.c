#include "tests/cluster/same_rows.h"

#include "storage/copies.h"
#include "storage/sql/sql.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note_rows(const char *table, bool has_rows, struct same_rows_tables *compared)
{
    size_t i = 0;
    while (i < compared->count && strcmp(compared->tables[i].name, table) != 0) {
        i++;
    }
    assert_true(i < SAME_ROWS_TABLES_MAX);
    if (i == compared->count) {
        (void)snprintf(compared->tables[i].name, sizeof compared->tables[i].name, "%s", table);
        compared->count++;
    }
    compared->tables[i].has_rows |= has_rows;
}

/* Returns how many rows of a table one of the attached databases has and the other has not. */
static int64_t count_other_rows(struct storage *storage, const char *table, const char *one,
                                const char *other)
{
    char query[512];
    int64_t rows = -1;
    (void)snprintf(query, sizeof query,
                   "SELECT count(*) FROM (SELECT * FROM %s.\"%s\" EXCEPT SELECT * FROM %s.\"%s\")",
                   one, table, other, table);
    assert_int_equal(sql_read_number(storage, query, &rows), STORAGE_OK);
    return rows;
}

static bool is_same_table(struct storage *storage, const char *table, const char *title,
                          struct same_rows_tables *compared)
{
    char query[128];
    int64_t has_rows = 0;
    int64_t ours = count_other_rows(storage, table, "main", "back");
    int64_t theirs = count_other_rows(storage, table, "back", "main");
    (void)snprintf(query, sizeof query, "SELECT EXISTS (SELECT 1 FROM \"%s\")", table);
    assert_int_equal(sql_read_number(storage, query, &has_rows), STORAGE_OK);
    note_rows(table, has_rows != 0, compared);
    if (ours != 0 || theirs != 0) {
        print_error("%s: table %s: %d rows are only in SQLite, %d only in PostgreSQL\n", title,
                    table, (int)ours, (int)theirs);
    }
    return ours == 0 && theirs == 0;
}

static void copy_database(const char *url, const char *path)
{
    char why[STORAGE_WHY_SIZE] = "";
    if (storage_copy_from_postgres(url, path, NULL, NULL, why) != STORAGE_OK) {
        fail_msg("%s", why);
    }
}

bool same_rows_in_both(const char *path, const char *url, const char *title,
                       struct same_rows_tables *compared)
{
    char why[STORAGE_WHY_SIZE] = "";
    char folder[] = "/tmp/same-rows-XXXXXX";
    char back[64];
    char attach[128];
    struct storage *storage = NULL;
    bool is_same = true;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(back, sizeof back, "%s/back.db", folder);
    (void)snprintf(attach, sizeof attach, "ATTACH '%s' AS back", back);
    copy_database(url, back);
    /* the copy of the file is complete: its log of new moves was settled */
    assert_int_equal(storage_open_temporary_copy(path, &storage, why), STORAGE_OK);
    assert_int_equal(sql_run_script(storage, attach), STORAGE_OK);
    struct sql q = sql_read(storage, "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
                                     " AND name NOT LIKE 'sqlite%'");
    while (sql_next_row(&q)) {
        is_same &= is_same_table(storage, sql_borrow_text(&q), title, compared);
    }
    assert_int_equal(sql_end(&q), STORAGE_OK);
    storage_close(storage);
    assert_int_equal(unlink(back), 0);
    assert_int_equal(rmdir(folder), 0);
    return is_same;
}
