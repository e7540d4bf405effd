#pragma once

#include "storage/sql/sql.h"
#include "storage/upkeep/copy_schema.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Inside storage/upkeep/ only: one row in PostgreSQL's binary format for COPY (its manual, "COPY",
 * "Binary Format"): the number of columns as 2 bytes, then each column as the 4 bytes of its length
 * (-1: NULL) and its value. Numbers have their highest byte first.
 */

#define COPY_HEADER_BYTES 19
#define COPY_TRAILER_BYTES 2

/* What comes before the first row: the signature, no flags, no extension. What comes after the last
 * one: -1 instead of a number of columns. */
extern const char copy_header[COPY_HEADER_BYTES];
extern const char copy_trailer[COPY_TRAILER_BYTES];

/* Bytes that grow. */
struct copy_row {
    uint8_t *bytes;
    size_t len, size;
};

/* Replaces *row by the present row of a query of copy_schema_make_query. */
void copy_row_encode(struct copy_row *row, const struct copy_table *table, struct sql *q);

/* Binds the columns of a row to an insertion of all columns; the row is borrowed until the
 * insertion has run. A row that is not whole makes q->result STORAGE_CORRUPT. */
void copy_row_bind(const uint8_t *bytes, size_t len, const struct copy_table *table, struct sql *q);

/* Returns the first column in which two rows of the table differ; the number of columns if the rows
 * are equal. The second row may be any bytes. */
size_t copy_row_find_difference(const struct copy_row *row, const void *other, size_t other_len);

/* Writes the columns of the row's primary key, for messages: "account 5, game whist". Cuts what
 * does not fit. */
void copy_row_describe(const struct copy_row *row, const struct copy_table *table, char *words,
                       size_t size);

void copy_row_clear(struct copy_row *row);
