#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Rows under titles, each column as wide as what is widest in it. */
enum {
    QUERY_COLUMNS_MAX = 12
};

struct query_column {
    const char *title; /* N_() */
    bool is_right;     /* numbers */
};

struct query_table {
    const struct query_column *columns; /* borrowed */
    size_t count;
    json_t *rows; /* arrays of texts */
};

/* Empty; query_table_write frees it. */
struct query_table query_table_new(const struct query_column *columns, size_t count);

/* A row of `count` cells, copied. Text that is no UTF-8 becomes "?". */
void query_table_add(struct query_table *table, const char *const *cells);

/* Titles and rows, nothing when there are no rows; frees the table. */
void query_table_write(struct query_table *table, struct lines *lines);
