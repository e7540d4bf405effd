#include "storage/upkeep/upkeep.h"

#include <assert.h>
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

static void add_column(struct copy_row *row, struct sql *q)
{
    const struct sql_value value = sql_read_value(q);

    switch (value.kind) {
    case SQL_KIND_INT:
        add_number(row, NUMBER_BYTES, LENGTH_BYTES);
        add_number(row, (uint64_t)value.number, NUMBER_BYTES);
        break;
    case SQL_KIND_REAL:
        add_number(row, NUMBER_BYTES, LENGTH_BYTES);
        add_number(row, read_bits(value.real), NUMBER_BYTES);
        break;
    case SQL_KIND_TEXT:
    case SQL_KIND_BYTES:
        add_content(row, value.bytes, value.len);
        break;
    case SQL_KIND_NULL:
    case SQL_KIND_END:
        add_number(row, NULL_LENGTH, LENGTH_BYTES);
        break;
    }
}

void copy_row_encode(struct copy_row *row, const struct copy_table *table, struct sql *q)
{
    row->len = 0;
    add_number(row, table->column_count, COUNT_BYTES);
    for (size_t i = 0; i < table->column_count; i++) {
        add_column(row, q);
    }
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
        sql_bind_value(
            q, &(const struct sql_value){.kind = SQL_KIND_TEXT, .bytes = value, .len = len});
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

#define KEY_WORDS_MAX 64 /* leaves room in STORAGE_WHY_SIZE for the names of table and column */

static void report_progress(const struct copy_rows *copy, int64_t rows)
{
    if (rows % COPY_ROWS_STEP == 0) {
        copy->progress(copy->context, rows);
    }
}

static enum storage_result fail_in_sqlite(const struct copy_rows *copy, enum storage_result result)
{
    (void)snprintf(copy->postgres->why, STORAGE_WHY_SIZE, "table %s: %.180s", copy->table->name,
                   copy->sqlite->why);
    return result;
}

static bool put(const struct copy_rows *copy, const void *bytes, size_t len)
{
    return copy->postgres->pq->PQputCopyData(copy->postgres->connection, bytes, (int)len) == 1;
}

/* Sends all rows; true if SQLite had no failure. A failure of PostgreSQL shows at the end. */
static enum storage_result put_rows(const struct copy_rows *copy, struct sql *q, int64_t *count)
{
    struct copy_row row = {.bytes = NULL};
    bool is_sent = put(copy, copy_header, COPY_HEADER_BYTES);

    while (is_sent && sql_next_row(q)) {
        copy_row_encode(&row, copy->table, q);
        is_sent = put(copy, row.bytes, row.len);
        report_progress(copy, ++*count);
    }
    if (is_sent) {
        (void)put(copy, copy_trailer, COPY_TRAILER_BYTES);
    }
    copy_row_clear(&row);
    return q->result;
}

/* Returns the number of the row that PostgreSQL blames, from 1 on; 0: none. Its words are, in every
 * language of its messages, "COPY table, line N, …". */
static int64_t read_blamed_row(const struct copy_postgres *postgres, const PGresult *failed)
{
    const char *context = postgres->pq->PQresultErrorField(failed, PG_DIAG_CONTEXT);
    const char *place = context == NULL ? NULL : strchr(context, ',');

    return place == NULL ? 0 : strtoll(place + strcspn(place, "0123456789\n"), NULL, 10);
}

/* Describes the N-th row of the table in the order in which the rows were sent. */
static void describe_row(const struct copy_rows *copy, const char *query, int64_t number,
                         char words[KEY_WORDS_MAX])
{
    char *text = NULL;
    struct copy_row row = {.bytes = NULL};

    words[0] = '\0';
    if (number == 0 || asprintf(&text, "%s LIMIT 1 OFFSET %" PRId64, query, number - 1) < 0) {
        return;
    }
    struct sql q = sql_read_once(copy->sqlite, text);
    if (sql_next_row(&q)) {
        copy_row_encode(&row, copy->table, &q);
        copy_row_describe(&row, copy->table, words, KEY_WORDS_MAX);
    }
    if (sql_end_once(&q) != STORAGE_OK) {
        words[0] = '\0'; /* the failure itself is described all the same, without the row */
    }
    copy_row_clear(&row);
    free(text);
}

/* Describes why PostgreSQL refused the rows. */
static enum storage_result fail_sending(const struct copy_rows *copy, const char *query,
                                        const PGresult *failed)
{
    char key[KEY_WORDS_MAX];
    char place[COPY_NAME_SIZE + KEY_WORDS_MAX + 16];

    describe_row(copy, query, read_blamed_row(copy->postgres, failed), key);
    (void)snprintf(place, sizeof place, "table %s%s%s", copy->table->name,
                   key[0] == '\0' ? "" : ", row with ", key);
    return copy_postgres_fail(copy->postgres, failed, place);
}

static enum storage_result send_rows(const struct copy_rows *copy, const char *query,
                                     int64_t *count)
{
    PGresult *failed = NULL;
    struct sql q = sql_read_once(copy->sqlite, query);
    enum storage_result result = put_rows(copy, &q, count);

    if (copy->postgres->pq->PQputCopyEnd(copy->postgres->connection,
                                         result == STORAGE_OK ? NULL : "the rows cannot be read") !=
        1) {
        (void)snprintf(copy->postgres->why, STORAGE_WHY_SIZE, "table %s: %.180s", copy->table->name,
                       copy->postgres->pq->PQerrorMessage(copy->postgres->connection));
        result = result == STORAGE_OK ? STORAGE_IO : result;
    }
    copy_postgres_end_copy(copy->postgres, NULL, &failed);
    const enum storage_result ended = sql_end_once(&q);
    if (ended != STORAGE_OK) {
        result = fail_in_sqlite(copy, ended);
    } else if (failed != NULL) {
        result = fail_sending(copy, query, failed);
    }
    copy->postgres->pq->PQclear(failed);
    return result;
}

static void write_columns(FILE *out, const struct copy_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        fprintf(out, "%s\"%s\"", i == 0 ? "" : ", ", table->columns[i].name);
    }
}

/* Writes COPY with the columns of the table in SQLite's order. */
static char *make_copy_in(const struct copy_table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort(); /* out of memory */
    }
    fprintf(out, "COPY \"%s\" (", table->name);
    write_columns(out, table);
    fprintf(out, ") FROM STDIN (FORMAT binary)");
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    return text;
}

/* Adds all rows of SQLite's table to PostgreSQL's; sets *count to their number. After a failure
 * postgres->why names the table, and the row if one is to blame. Returns STORAGE_OK, _REFUSED,
 * _FULL, _CORRUPT or _IO. */
static enum storage_result copy_rows_send(const struct copy_rows *copy, int64_t *count)
{
    char *begin = make_copy_in(copy->table);
    char *query = copy_schema_make_query(copy->table);
    enum storage_result result =
        copy_postgres_begin_copy(copy->postgres, PGRES_COPY_IN, begin, copy->table->name);

    *count = 0;
    if (result == STORAGE_OK) {
        result = send_rows(copy, query, count);
    }
    free(query);
    free(begin);
    return result;
}

/* Writes an insertion of all columns. */
static char *make_insertion(const struct copy_table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort(); /* out of memory */
    }
    fprintf(out, "INSERT INTO \"%s\" (", table->name);
    write_columns(out, table);
    fprintf(out, ") VALUES (");
    for (size_t i = 0; i < table->column_count; i++) {
        fprintf(out, "%s?", i == 0 ? "" : ", ");
    }
    fprintf(out, ")");
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    return text;
}

/* Inserts the rows that PostgreSQL sends into SQLite's table. */
static enum storage_result insert_rows(const struct copy_rows *copy, int64_t *count)
{
    char *insertion = make_insertion(copy->table);
    struct copy_stream stream = {.bytes = NULL};
    PGresult *failed = NULL;
    const uint8_t *bytes = NULL;
    size_t len = 0;
    struct sql q = sql_read_once(copy->sqlite, insertion);

    while (q.result == STORAGE_OK &&
           copy_postgres_next_row(copy->postgres, &stream, &bytes, &len)) {
        copy_row_bind(bytes, len, copy->table, &q);
        sql_run_and_reset(&q);
        report_progress(copy, ++*count);
    }
    enum storage_result result = sql_end_once(&q);
    copy_postgres_end_copy(copy->postgres, &stream, &failed);
    if (result != STORAGE_OK) {
        result = fail_in_sqlite(copy, result);
    } else if (failed != NULL) {
        result = copy_postgres_fail(copy->postgres, failed, copy->table->name);
    }
    copy->postgres->pq->PQclear(failed);
    free(insertion);
    return result;
}

/* Begins to receive the rows of a query from PostgreSQL. */
static enum storage_result begin_receiving(const struct copy_rows *copy, const char *query)
{
    char *begin = NULL;

    if (asprintf(&begin, "COPY (%s) TO STDOUT (FORMAT binary)", query) < 0) {
        abort(); /* out of memory */
    }
    const enum storage_result result =
        copy_postgres_begin_copy(copy->postgres, PGRES_COPY_OUT, begin, copy->table->name);
    free(begin);
    return result;
}

/* Adds all rows of PostgreSQL's table to SQLite's, inside a transaction; sets *count to their
 * number. postgres->why names the table after a failure. Returns STORAGE_OK, _REFUSED, _FULL or
 * _IO. */
static enum storage_result copy_rows_receive(const struct copy_rows *copy, int64_t *count)
{
    char *query = copy_schema_make_query(copy->table);
    enum storage_result result = begin_receiving(copy, query);

    *count = 0;
    if (result == STORAGE_OK) {
        result = insert_rows(copy, count);
    }
    free(query);
    return result;
}

/* Says how the present row of SQLite differs from PostgreSQL's. */
static enum storage_result fail_comparing(const struct copy_rows *copy, const struct copy_row *row,
                                          const char *what, const char *column)
{
    char key[KEY_WORDS_MAX];

    copy_row_describe(row, copy->table, key, sizeof key);
    return storage_fail(copy->postgres->why, STORAGE_CORRUPT, "table %s, row with %s: %s%s",
                        copy->table->name, key, what, column);
}

/* Compares a row that PostgreSQL has sent with the next one of SQLite. */
static enum storage_result compare_row(const struct copy_rows *copy, struct sql *q,
                                       struct copy_row *row, const uint8_t *bytes, size_t len)
{
    if (!sql_next_row(q)) {
        (void)snprintf(copy->postgres->why, STORAGE_WHY_SIZE, "table %s: PostgreSQL has more rows",
                       copy->table->name);
        return q->result == STORAGE_OK ? STORAGE_CORRUPT : q->result;
    }
    copy_row_encode(row, copy->table, q);
    if (row->len == len && memcmp(row->bytes, bytes, len) == 0) {
        return STORAGE_OK;
    }
    const size_t at = copy_row_find_difference(row, bytes, len);
    assert(at < copy->table->column_count); /* both rows have as many columns */
    const struct copy_column *column = &copy->table->columns[at];
    return column->key_place > 0
               ? fail_comparing(copy, row, "PostgreSQL has another row in its place", "")
               : fail_comparing(copy, row, "PostgreSQL has another value in the column ",
                                column->name);
}

/* Compares all rows that PostgreSQL sends. */
static enum storage_result compare_rows(const struct copy_rows *copy, struct sql *q,
                                        struct copy_stream *stream)
{
    enum storage_result result = STORAGE_OK;
    struct copy_row row = {.bytes = NULL};
    const uint8_t *bytes = NULL;
    size_t len = 0;
    int64_t count = 0;

    while (result == STORAGE_OK && copy_postgres_next_row(copy->postgres, stream, &bytes, &len)) {
        result = compare_row(copy, q, &row, bytes, len);
        report_progress(copy, ++count);
    }
    if (result == STORAGE_OK && sql_next_row(q)) {
        copy_row_encode(&row, copy->table, q);
        result = fail_comparing(copy, &row, "PostgreSQL does not have it", "");
    }
    copy_row_clear(&row);
    return result;
}

static enum storage_result receive_and_compare(const struct copy_rows *copy, const char *query)
{
    PGresult *failed = NULL;
    struct copy_stream stream = {.bytes = NULL};
    struct sql q = sql_read_once(copy->sqlite, query);
    enum storage_result result = compare_rows(copy, &q, &stream);
    const enum storage_result ended = sql_end_once(&q);

    copy_postgres_end_copy(copy->postgres, &stream, &failed);
    if (ended != STORAGE_OK) {
        result = fail_in_sqlite(copy, ended);
    } else if (failed != NULL) {
        result = copy_postgres_fail(copy->postgres, failed, copy->table->name);
    }
    copy->postgres->pq->PQclear(failed);
    return result;
}

enum storage_result copy_rows_compare(const struct copy_rows *copy)
{
    char *query = copy_schema_make_query(copy->table);
    enum storage_result result = begin_receiving(copy, query);

    if (result == STORAGE_OK) {
        result = receive_and_compare(copy, query);
    }
    free(query);
    return result;
}

static void report_rows(void *context, int64_t rows)
{
    const struct copy_tables *copy = context;

    if (copy->report != NULL) {
        copy->report(copy->context,
                     &(const struct storage_copy_progress){copy->stage, copy->table->name, rows});
    }
}

enum storage_result copy_tables_find(struct copy_tables *copy)
{
    RETURN_FAILURE(copy_schema_read(copy->sqlite, &copy->postgres, &copy->schema));
    copy->counts = calloc(copy->schema.table_count + 1, sizeof *copy->counts);
    if (copy->counts == NULL) {
        abort(); /* out of memory */
    }
    return STORAGE_OK;
}

static struct copy_rows begin_table(struct copy_tables *copy, size_t i,
                                    enum storage_copy_stage stage)
{
    copy->table = &copy->schema.tables[i];
    copy->stage = stage;
    return (struct copy_rows){copy->sqlite, &copy->postgres, copy->table, report_rows, copy};
}

enum storage_result copy_tables_send(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_SENDING);
        result = copy_rows_send(&rows, &copy->counts[i]);
    }
    return result;
}

enum storage_result copy_tables_receive(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_SENDING);
        result = copy_rows_receive(&rows, &copy->counts[i]);
    }
    return result;
}

enum storage_result copy_tables_compare(struct copy_tables *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->schema.table_count; i++) {
        const struct copy_rows rows = begin_table(copy, i, STORAGE_COPY_COMPARING);
        result = copy_rows_compare(&rows);
        if (result == STORAGE_OK) {
            copy->stage = STORAGE_COPY_EQUAL;
            report_rows(copy, copy->counts[i]);
        }
    }
    return result;
}

void copy_tables_clear(struct copy_tables *copy)
{
    free(copy->counts);
    copy_schema_clear(&copy->schema);
    copy_postgres_close(&copy->postgres);
}
