#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SAME_ROWS_TABLES_MAX 128

/* The tables that were compared, and whether any comparison found rows in them. */
struct same_rows_tables {
    struct {
        char name[64];
        bool has_rows;
    } tables[SAME_ROWS_TABLES_MAX];
    size_t count;
};

/* Compares the closed data file of a house with a PostgreSQL database, row by row and column by
 * column, as a copy does. Prints the first difference of each table after `title`, and returns
 * whether there is none. Adds to `compared` what was compared. */
bool same_rows_in_both(const char *path, const char *url, const char *title,
                       struct same_rows_tables *compared);
