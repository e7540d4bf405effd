#pragma once

#include "storage/sql/sql.h"
#include "storage/upkeep/copy_postgres.h"
#include "storage/upkeep/copy_schema.h"

/*
 * Inside storage/upkeep/ only: copies the rows of a table from SQLite to PostgreSQL or back, and
 * compares all of them. Rows travel in PostgreSQL's binary format for COPY, in which a row is the
 * same bytes if and only if all its values are the same to the last bit.
 */

/* Is called every COPY_ROWS_STEP rows with the number of rows so far. */
typedef void copy_rows_progress(void *context, int64_t rows);
#define COPY_ROWS_STEP 8192

struct copy_rows {
    struct storage *sqlite;
    struct copy_postgres *postgres;
    const struct copy_table *table;
    copy_rows_progress *progress;
    void *context;
};

/* Adds all rows of SQLite's table to PostgreSQL's; sets *count to their number. After a failure
 * postgres->why names the table, and the row if one is to blame. Returns STORAGE_OK, _REFUSED,
 * _FULL, _CORRUPT or _IO. */
enum storage_result copy_rows_send(const struct copy_rows *copy, int64_t *count) MUST_CHECK;

/* Adds all rows of PostgreSQL's table to SQLite's, inside a transaction; sets *count to their
 * number. postgres->why names the table after a failure. Returns STORAGE_OK, _REFUSED, _FULL or
 * _IO. */
enum storage_result copy_rows_receive(const struct copy_rows *copy, int64_t *count) MUST_CHECK;

/* Compares the two tables row by row and column by column. Returns STORAGE_OK if they are equal;
 * _CORRUPT if not: postgres->why then names the first row that differs, and how. */
enum storage_result copy_rows_compare(const struct copy_rows *copy) MUST_CHECK;
