#include "tests/lobby/data_dump.h"

#include "storage/sql/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump_database_table(struct driver *driver, const char *table, FILE *out)
{
    char text[160];
    sqlite3_stmt *rows = NULL;
    (void)snprintf(text, sizeof(text), "SELECT * FROM \"%s\"", table);
    assert_int_equal(sqlite3_prepare_v2(driver->storage->db, text, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        (void)fputs(table, out);
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const unsigned char *bytes = sqlite3_column_blob(rows, i);
            (void)fprintf(out, " %s=", sqlite3_column_name(rows, i));
            for (int k = 0; k < sqlite3_column_bytes(rows, i); k++) {
                (void)fprintf(out, bytes[k] >= ' ' && bytes[k] < 127 ? "%c" : "\\%02x", bytes[k]);
            }
        }
        (void)fputc('\n', out);
    }
    assert_int_equal(sqlite3_finalize(rows), SQLITE_OK);
}

char *data_dump_all_rows(struct driver *driver)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    sqlite3_stmt *tables = NULL;
    assert_non_null(out);
    assert_int_equal(sqlite3_prepare_v2(driver->storage->db,
                                        "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                        " AND name <> 'answers' ORDER BY name",
                                        -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        dump_database_table(driver, (const char *)sqlite3_column_text(tables, 0), out);
    }
    assert_int_equal(sqlite3_finalize(tables), SQLITE_OK);
    (void)fclose(out);
    return text;
}

bool data_dumps_are_equal(const char *first_dump, const char *second_dump, const char *title)
{
    size_t at = 0;
    size_t line = 0;
    if (strcmp(first_dump, second_dump) == 0) {
        return true;
    }
    for (; first_dump[at] == second_dump[at]; at++) {
        line = first_dump[at] == '\n' ? at + 1 : line;
    }
    print_error("%s: the data differ\n  once:  %.*s\n  twice: %.*s\n", title,
                (int)strcspn(first_dump + line, "\n"), first_dump + line,
                (int)strcspn(second_dump + line, "\n"), second_dump + line);
    return false;
}
