#pragma once

#include "storage/upkeep/copy_postgres.h"
#include "storage/upkeep/copy_progress.h"
#include "storage/upkeep/copy_schema.h"

/* Inside storage/ only: copies and compares all tables of a house, from SQLite to PostgreSQL
 * or back. The caller begins and ends the transactions. */

/* The columns that PostgreSQL numbers itself: a query for their tables and names. */
#define COPY_IDENTITY_COLUMNS                                                                      \
    "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"        \
    " WHERE a.attidentity <> '' AND c.relkind = 'r'"                                               \
    " AND c.relnamespace = current_schema()::regnamespace"

struct copy_tables {
    struct storage *sqlite; /* borrowed */
    struct copy_postgres postgres;
    struct copy_schema schema;
    int64_t *counts; /* number of rows copied, of each table of the schema */
    storage_copy_report *report;
    void *context;
    enum storage_copy_stage stage;
    const struct copy_table *table; /* the one that is being copied or compared */
};

/* Reads both schemas into `copy`, whose sqlite and postgres are set: see copy_schema_read. */
enum storage_result copy_tables_find(struct copy_tables *copy) MUST_CHECK;

/* Copy all rows of all tables: see copy_rows_send and copy_rows_receive. */
enum storage_result copy_tables_send(struct copy_tables *copy) MUST_CHECK;
enum storage_result copy_tables_receive(struct copy_tables *copy) MUST_CHECK;

/* Compares all rows of all tables: see copy_rows_compare. */
enum storage_result copy_tables_compare(struct copy_tables *copy) MUST_CHECK;

/* Closes the connection and releases what the functions above have made. */
void copy_tables_clear(struct copy_tables *copy);
