#include "storage/upkeep/upkeep.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_BYTES 2
#define LENGTH_BYTES 4
#define NUMBER_BYTES 8
#define NULL_LENGTH UINT32_MAX /* -1 */
#define SHOWN_TEXT_MAX 40

const char copy_header[COPY_HEADER_BYTES] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
const char copy_trailer[COPY_TRAILER_BYTES] = "\377\377";

/* Returns where the next `len` bytes of the row belong. */
static uint8_t *add_bytes(struct copy_row *row, size_t len)
{
    if (row->size - row->len < len) {
        row->size = 2 * (row->len + len);
        row->bytes = realloc(row->bytes, row->size);
        if (row->bytes == NULL) {
            abort(); /* out of memory */
        }
    }
    row->len += len;
    return row->bytes + row->len - len;
}

static void add_number(struct copy_row *row, uint64_t number, size_t bytes)
{
    uint8_t *at = add_bytes(row, bytes);

    for (size_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(number >> (8 * (bytes - 1 - i)));
    }
}

static uint64_t read_number(const uint8_t *at, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < bytes; i++) {
        number = number << 8 | at[i];
    }
    return number;
}

static uint64_t read_bits(double real)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static void add_content(struct copy_row *row, const void *bytes, size_t len)
{
    add_number(row, len, LENGTH_BYTES);
    if (len > 0) {
        memcpy(add_bytes(row, len), bytes, len);
    }
}

static void add_column(struct copy_row *row, enum copy_type type, struct sql *q)
{
    const void *bytes;
    size_t len = 0;

    if (sql_column_kind(q) == SQL_KIND_NULL) {
        add_number(row, NULL_LENGTH, LENGTH_BYTES);
        (void)sql_read_int(q);
        return;
    }
    switch (type) {
    case COPY_INT:
        add_number(row, NUMBER_BYTES, LENGTH_BYTES);
        add_number(row, (uint64_t)sql_read_int(q), NUMBER_BYTES);
        break;
    case COPY_REAL:
        add_number(row, NUMBER_BYTES, LENGTH_BYTES);
        add_number(row, read_bits(sql_read_real(q)), NUMBER_BYTES);
        break;
    case COPY_TEXT:
    case COPY_BYTES:
        bytes = sql_borrow_bytes(q, &len);
        add_content(row, bytes, len);
        break;
    }
}

void copy_row_encode(struct copy_row *row, const struct copy_table *table, struct sql *q)
{
    row->len = 0;
    add_number(row, table->column_count, COUNT_BYTES);
    for (size_t i = 0; i < table->column_count; i++) {
        add_column(row, table->columns[i].type, q);
    }
}

/* Binds a text that does not end with a NUL, as only SQLite takes it. */
static void bind_text(struct sql *q, const char *text, size_t len)
{
    q->bound++;
    q->result = q->storage->engine->bind_text(q->storage, q->statement, q->bound, text, len);
}

/* Binds a value that is not NULL. */
static void bind_value(const uint8_t *value, size_t len, enum copy_type type, struct sql *q)
{
    const bool is_number = type == COPY_INT || type == COPY_REAL;
    const uint64_t bits = is_number && len == NUMBER_BYTES ? read_number(value, len) : 0;
    double real;

    if (is_number && len != NUMBER_BYTES) {
        q->result = STORAGE_CORRUPT;
        return;
    }
    switch (type) {
    case COPY_INT:
        sql_bind_int(q, (int64_t)bits);
        break;
    case COPY_REAL:
        memcpy(&real, &bits, sizeof real);
        sql_bind_real(q, real);
        break;
    case COPY_TEXT:
        bind_text(q, (const char *)value, len);
        break;
    case COPY_BYTES:
        sql_bind_bytes(q, value, len);
        break;
    }
}

void copy_row_bind(const uint8_t *bytes, size_t len, const struct copy_table *table, struct sql *q)
{
    size_t at = COUNT_BYTES;

    for (size_t i = 0; i < table->column_count && q->result == STORAGE_OK; i++) {
        const uint64_t column =
            at + LENGTH_BYTES <= len ? read_number(bytes + at, LENGTH_BYTES) : len;
        at += LENGTH_BYTES;
        if (column == NULL_LENGTH) {
            sql_bind_id(q, 0);
        } else if (at + column > len) {
            q->result = STORAGE_CORRUPT;
        } else {
            bind_value(bytes + at, (size_t)column, table->columns[i].type, q);
            at += (size_t)column;
        }
    }
}

/* Returns the length of the column that begins at this byte, with the 4 bytes that tell it. */
static size_t read_column_length(const struct copy_row *row, size_t at)
{
    const uint64_t len = read_number(row->bytes + at, LENGTH_BYTES);

    return LENGTH_BYTES + (len == NULL_LENGTH ? 0 : (size_t)len);
}

size_t copy_row_find_difference(const struct copy_row *row, const void *other, size_t other_len)
{
    size_t column = 0;

    for (size_t at = COUNT_BYTES; at < row->len; column++) {
        const size_t len = read_column_length(row, at);
        if (other_len < at + len ||
            memcmp(row->bytes + at, (const uint8_t *)other + at, len) != 0) {
            break;
        }
        at += len;
    }
    return column;
}

/* Writes the value of the column that begins at this byte; control characters as ?. */
static void write_value(FILE *out, const struct copy_row *row, size_t at, enum copy_type type)
{
    const size_t len = read_column_length(row, at) - LENGTH_BYTES;
    const uint8_t *value = row->bytes + at + LENGTH_BYTES;

    if (type == COPY_INT && len == NUMBER_BYTES) {
        fprintf(out, "%" PRId64, (int64_t)read_number(value, NUMBER_BYTES));
        return;
    }
    for (size_t i = 0; type == COPY_TEXT && i < len && i < SHOWN_TEXT_MAX; i++) {
        fputc(iscntrl(value[i]) ? '?' : value[i], out);
    }
}

void copy_row_describe(const struct copy_row *row, const struct copy_table *table, char *words,
                       size_t size)
{
    size_t at = COUNT_BYTES;
    const char *between = "";
    FILE *out = fmemopen(words, size, "w");

    words[0] = '\0';
    if (out == NULL) {
        return;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].key_place > 0) {
            fprintf(out, "%s%s ", between, table->columns[i].name);
            write_value(out, row, at, table->columns[i].type);
            between = ", ";
        }
        at += read_column_length(row, at);
    }
    (void)fclose(out);
    words[size - 1] = '\0';
}

void copy_row_clear(struct copy_row *row)
{
    free(row->bytes);
    *row = (struct copy_row){.bytes = NULL};
}
