#ifndef DAEMON_VERBS_VERB_TABLE_H
#define DAEMON_VERBS_VERB_TABLE_H

#include "daemon/screens/kernel/lines.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Rows under titles, each column as wide as what is widest in it. */
enum {
    VERB_COLUMNS_MAX = 12
};

struct verb_column {
    const char *title; /* N_() */
    bool is_right;     /* numbers */
};

struct verb_table {
    const struct verb_column *columns; /* borrowed */
    size_t count;
    json_t *rows; /* arrays of texts */
};

/* Empty; verb_table_write frees it. */
struct verb_table verb_table_new(const struct verb_column *columns, size_t count);

/* A row of `count` cells, copied. Text that is no UTF-8 becomes "?". */
void verb_table_add(struct verb_table *table, const char *const *cells);

/* Titles and rows, nothing when there are no rows; frees the table. */
void verb_table_write(struct verb_table *table, struct lines *lines);

#endif
