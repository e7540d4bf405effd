#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A table of texts with headings; each column is as wide as its widest cell. */
enum {
    QUERY_COLUMNS_MAX = 12
};

struct query_column {
    const char *title; /* N_() */
    bool is_right;     /* cells are right-aligned, as numbers are */
};

struct query_table {
    const struct query_column *columns; /* borrowed: the caller owns the columns */
    size_t count;
    json_t *rows; /* one array of texts for each row */
};

/* Starts a table without rows. query_table_write frees it. */
struct query_table query_table_new(const struct query_column *columns, size_t column_count);

/* Adds a row of `count` cells, which are copied. Text that is not UTF-8 becomes "?". */
void query_table_add_row(struct query_table *table, const char *const *cells);

/* Writes the headings and rows; nothing if there are no rows. Frees the table. */
void query_table_write(struct query_table *table, struct lines *lines);
