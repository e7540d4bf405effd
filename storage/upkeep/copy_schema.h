#pragma once

#include "storage/sql/sql.h"

/* Inside storage/upkeep/ only: the tables that are copied from SQLite to PostgreSQL, and their
 * columns, as the schemas of both say. */

struct copy_postgres;

#define COPY_NAME_SIZE 64

/* How the values of a column travel. */
enum copy_type {
    COPY_INT,
    COPY_REAL,
    COPY_TEXT,
    COPY_BYTES,
};

struct copy_column {
    char name[COPY_NAME_SIZE];
    enum copy_type type;
    unsigned key_place; /* 1, 2 …: its place in the primary key; 0: it is not part of it */
};

struct copy_table {
    char name[COPY_NAME_SIZE];
    struct copy_column *columns;
    size_t column_count;
};

struct copy_schema {
    struct copy_table *tables;
    size_t table_count;
};

/* Reads SQLite's tables and checks that PostgreSQL has the same ones with the same columns of the
 * same types. A table that only PostgreSQL has stays out; one that only SQLite has must be empty.
 * Returns STORAGE_OK, _REFUSED if the schemas differ, _CORRUPT or _IO. Call copy_schema_clear in
 * any case. */
enum storage_result copy_schema_read(struct storage *sqlite, struct copy_postgres *postgres,
                                     struct copy_schema *schema) MUST_CHECK;

void copy_schema_clear(struct copy_schema *schema);

/* Returns the text of the query that selects all columns of all rows of a table, ordered by its
 * primary key. Both databases understand it. The caller frees it; aborts if memory runs out. */
char *copy_schema_make_query(const struct copy_table *table);
