#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What SQLite itself reports about the database's tables and columns, and about what statements do
 * to them. */

#define SCHEMA_NAME_SIZE 64

/* Call it first in main: from then on, the connection opened last is the one that the functions
 * below ask. */
void schema_follow_connections(void);

/* Calls `row` with the first four columns of each row that a query returns; "" for missing ones. */
typedef void schema_row(void *context, const char *const columns[4]);
void schema_query(const char *sql, schema_row *row, void *context);

#define SCHEMA_COLUMNS_MAX 128

struct schema_column {
    char table[SCHEMA_NAME_SIZE], name[SCHEMA_NAME_SIZE];
    char full_name[2 * SCHEMA_NAME_SIZE]; /* "table.name" */
    bool is_foreign_key;
};

/*
 * Finds the columns that hold the number of an account; returns how many there are.
 *
 * They are found in two ways. One is their foreign keys, which may lead to accounts through another
 * table (hooks). The other is their names: a column without a foreign key counts if its name
 * contains "account", or if some foreign key to accounts has that name, such as `host`.
 */
size_t schema_find_account_columns(struct schema_column columns[SCHEMA_COLUMNS_MAX]);

/* Between these calls, notes what the statements that are compiled do. */
void schema_watch_begin(void);
void schema_watch_end(void);

/* Whether a statement compiled while watching updates the column, or deletes rows of its table and
 * reads the column. */
bool schema_is_column_changed(const char *table, const char *column);
/* Whether a statement compiled while watching updates the column, or deletes rows of its table. */
bool schema_is_column_emptied(const char *table, const char *column);
/* Whether a statement compiled while watching reads the column. */
bool schema_is_column_read(const char *table, const char *column);
