#include "storage/upkeep/upkeep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ignore_notice(UNUSED void *context, UNUSED const PGresult *notice)
{
}

/* libpq repeats a URL that it cannot read, with the password in it. So such a URL is found first,
 * and only said to be wrong. */
static bool is_readable(const struct libpq *pq, const char *url)
{
    PQconninfoOption *options = pq->PQconninfoParse(url, NULL);

    pq->PQconninfoFree(options);
    return options != NULL;
}

enum storage_result copy_postgres_connect(struct copy_postgres *postgres, const char *url,
                                          char why[STORAGE_WHY_SIZE])
{
    const char *const keys[] = {"fallback_application_name", "dbname", "client_encoding", NULL};
    const char *const values[] = {"trickhouse cluster copy", url, "UTF8", NULL};

    why[0] = '\0';
    *postgres = (struct copy_postgres){.why = why, .pq = libpq_load(why, STORAGE_WHY_SIZE)};
    if (postgres->pq == NULL) {
        return STORAGE_IO;
    }
    if (!is_readable(postgres->pq, url)) {
        return storage_fail(why, STORAGE_IO, "this is not the URL of a PostgreSQL database");
    }
    postgres->connection = postgres->pq->PQconnectdbParams(keys, values, true);
    if (postgres->pq->PQstatus(postgres->connection) != CONNECTION_OK) {
        const char *message = postgres->pq->PQerrorMessage(postgres->connection);
        return storage_fail(why, STORAGE_IO, "%.*s", (int)strcspn(message, "\n"), message);
    }
    (void)postgres->pq->PQsetNoticeReceiver(postgres->connection, ignore_notice, NULL);
    return STORAGE_OK;
}

void copy_postgres_close(struct copy_postgres *postgres)
{
    if (postgres->connection != NULL) {
        postgres->pq->PQfinish(postgres->connection);
        postgres->connection = NULL;
    }
}

static enum storage_result translate_state(const char *state)
{
    if (state == NULL) {
        return STORAGE_IO; /* the connection has broken */
    }
    if (strncmp(state, "22", 2) == 0 || strncmp(state, "23", 2) == 0) {
        return STORAGE_REFUSED;
    }
    return strcmp(state, "53100") == 0 ? STORAGE_FULL : STORAGE_IO;
}

enum storage_result copy_postgres_fail(struct copy_postgres *postgres, const PGresult *failed,
                                       const char *table)
{
    const struct libpq *pq = postgres->pq;
    const char *message = pq->PQresultErrorField(failed, PG_DIAG_MESSAGE_PRIMARY);
    const char *detail = pq->PQresultErrorField(failed, PG_DIAG_MESSAGE_DETAIL);

    if (message == NULL) {
        message = pq->PQerrorMessage(postgres->connection);
    }
    (void)snprintf(postgres->why, STORAGE_WHY_SIZE, "%s%s%.*s%s%s", table == NULL ? "" : table,
                   table == NULL ? "" : ": ", (int)strcspn(message, "\n"), message,
                   detail == NULL ? "" : "; ", detail == NULL ? "" : detail);
    return translate_state(pq->PQresultErrorField(failed, PG_DIAG_SQLSTATE));
}

/* Returns the result of a statement; NULL after a failure, whose result is then in *result. */
__attribute__((format(printf, 3, 0))) static PGresult *run(struct copy_postgres *postgres,
                                                           enum storage_result *result,
                                                           const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0) {
        (void)snprintf(postgres->why, STORAGE_WHY_SIZE, "out of memory");
        *result = STORAGE_IO;
        return NULL;
    }
    PGresult *done = postgres->pq->PQexec(postgres->connection, text);
    const ExecStatusType status = postgres->pq->PQresultStatus(done);
    free(text);
    *result = STORAGE_OK;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        *result = copy_postgres_fail(postgres, done, NULL);
        postgres->pq->PQclear(done);
        return NULL;
    }
    return done;
}

enum storage_result copy_postgres_run(struct copy_postgres *postgres, const char *format, ...)
{
    enum storage_result result;
    va_list arguments;

    va_start(arguments, format);
    postgres->pq->PQclear(run(postgres, &result, format, arguments));
    va_end(arguments);
    return result;
}

enum storage_result copy_postgres_query(struct copy_postgres *postgres, PGresult **rows,
                                        const char *format, ...)
{
    enum storage_result result;
    va_list arguments;

    va_start(arguments, format);
    *rows = run(postgres, &result, format, arguments);
    va_end(arguments);
    return result;
}

enum storage_result copy_postgres_read_number(struct copy_postgres *postgres, int64_t *number,
                                              const char *format, ...)
{
    enum storage_result result;
    va_list arguments;

    va_start(arguments, format);
    PGresult *rows = run(postgres, &result, format, arguments);
    va_end(arguments);
    if (result == STORAGE_OK) {
        *number = strtoll(postgres->pq->PQgetvalue(rows, 0, 0), NULL, 10);
    }
    postgres->pq->PQclear(rows);
    return result;
}

enum storage_result copy_postgres_begin(struct copy_postgres *postgres, const char *begin)
{
    enum storage_result result = copy_postgres_run(postgres, "%s", begin);

    if (result == STORAGE_OK) {
        result = copy_postgres_run(postgres, "SET LOCAL lock_timeout = '10s';"
                                             "SET LOCAL statement_timeout = 0;"
                                             "SET LOCAL idle_in_transaction_session_timeout = 0");
    }
    return result;
}

enum storage_result copy_postgres_begin_copy(struct copy_postgres *postgres, ExecStatusType state,
                                             const char *text, const char *table)
{
    PGresult *begun = postgres->pq->PQexec(postgres->connection, text);
    const enum storage_result result = postgres->pq->PQresultStatus(begun) == state
                                           ? STORAGE_OK
                                           : copy_postgres_fail(postgres, begun, table);

    postgres->pq->PQclear(begun);
    return result;
}

static void release_row(struct copy_postgres *postgres, struct copy_stream *stream)
{
    if (stream != NULL && stream->bytes != NULL) {
        postgres->pq->PQfreemem(stream->bytes);
        stream->bytes = NULL;
    }
}

bool copy_postgres_next_row(struct copy_postgres *postgres, struct copy_stream *stream,
                            const uint8_t **row, size_t *len)
{
    const size_t header = stream->has_begun ? 0 : COPY_HEADER_BYTES;

    release_row(postgres, stream);
    const int received = postgres->pq->PQgetCopyData(postgres->connection, &stream->bytes, 0);
    stream->has_begun = true;
    /* the header comes together with the first row or with the trailer */
    if (received <= 0 || (size_t)received < header + COPY_TRAILER_BYTES ||
        memcmp(stream->bytes + header, copy_trailer, COPY_TRAILER_BYTES) == 0) {
        return false;
    }
    *row = (const uint8_t *)stream->bytes + header;
    *len = (size_t)received - header;
    return true;
}

void copy_postgres_end_copy(struct copy_postgres *postgres, struct copy_stream *stream,
                            PGresult **failed)
{
    PGresult *result = NULL;
    char *rest = NULL;

    *failed = NULL;
    release_row(postgres, stream);
    while (stream != NULL && postgres->pq->PQgetCopyData(postgres->connection, &rest, 0) > 0) {
        postgres->pq->PQfreemem(rest); /* the receiver did not want the other rows */
    }
    while ((result = postgres->pq->PQgetResult(postgres->connection)) != NULL) {
        if (postgres->pq->PQresultStatus(result) != PGRES_COMMAND_OK && *failed == NULL) {
            *failed = result;
        } else {
            postgres->pq->PQclear(result);
        }
    }
}

/* The types of columns, as both databases call them. */
static const struct type {
    const char *sqlite, *postgres;
    enum copy_type type;
} types[] = {
    {"INTEGER", "bigint", COPY_INT},
    {"REAL", "double precision", COPY_REAL},
    {"TEXT", "text", COPY_TEXT},
    {"BLOB", "bytea", COPY_BYTES},
};

/* Returns NULL if the two names are not those of the same type. */
static const struct type *find_type(const char *sqlite_name, const char *postgres_name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (strcmp(types[i].sqlite, sqlite_name) == 0 &&
            strcmp(types[i].postgres, postgres_name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static void *grow(void *list, size_t count, size_t size)
{
    void *grown = reallocarray(list, count, size);

    if (grown == NULL) {
        abort(); /* out of memory */
    }
    return grown;
}

static struct copy_table *add_table(struct copy_schema *schema, const char *name)
{
    schema->tables = grow(schema->tables, schema->table_count + 1, sizeof *schema->tables);
    struct copy_table *table = &schema->tables[schema->table_count++];
    *table = (struct copy_table){.columns = NULL};
    (void)snprintf(table->name, sizeof table->name, "%s", name);
    return table;
}

static struct copy_column *add_column(struct copy_table *table, const char *name)
{
    table->columns = grow(table->columns, table->column_count + 1, sizeof *table->columns);
    struct copy_column *column = &table->columns[table->column_count++];
    *column = (struct copy_column){.key_place = 0};
    (void)snprintf(column->name, sizeof column->name, "%s", name);
    return column;
}

static enum storage_result refuse(struct copy_postgres *postgres, const struct copy_table *table,
                                  const char *column, const char *what)
{
    return storage_fail(postgres->why, STORAGE_REFUSED, "table %s%s%s: %s", table->name,
                        column == NULL ? "" : ", column ", column == NULL ? "" : column, what);
}

/* Reads the columns that PostgreSQL has of a table into *found: their names and types. */
static enum storage_result query_columns(struct copy_postgres *postgres,
                                         const struct copy_table *table, PGresult **found)
{
    return copy_postgres_query(postgres, found,
                               "SELECT a.attname, format_type(a.atttypid, a.atttypmod)"
                               " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                               " WHERE c.relname = '%s' AND c.relkind = 'r' AND a.attnum > 0"
                               " AND NOT a.attisdropped"
                               " AND c.relnamespace = current_schema()::regnamespace",
                               table->name);
}

/* Returns PostgreSQL's type of a column; NULL if the table has no such column there. */
static const char *find_column(const struct copy_postgres *postgres, const PGresult *columns,
                               const char *name)
{
    for (int i = 0; i < postgres->pq->PQntuples(columns); i++) {
        if (strcmp(postgres->pq->PQgetvalue(columns, i, 0), name) == 0) {
            return postgres->pq->PQgetvalue(columns, i, 1);
        }
    }
    return NULL;
}

/* Reads SQLite's columns of a table, which must be the columns that PostgreSQL has. */
static enum storage_result match_columns(struct storage *sqlite, struct copy_postgres *postgres,
                                         struct copy_table *table, const PGresult *columns)
{
    enum storage_result result = STORAGE_OK;
    struct sql *q = SQL_READ(sqlite, "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
                             SQL_TEXT(table->name, sizeof table->name));

    while (result == STORAGE_OK && sql_next_row(q)) {
        struct copy_column *column = add_column(table, sql_borrow_text(q));
        const char *there = find_column(postgres, columns, column->name);
        const struct type *type = there == NULL ? NULL : find_type(sql_borrow_text(q), there);
        if (there == NULL) {
            result = refuse(postgres, table, column->name, "PostgreSQL does not have it");
        } else if (type == NULL) {
            result = refuse(postgres, table, column->name, "PostgreSQL has it with another type");
        } else {
            column->type = type->type;
            column->key_place = (unsigned)sql_read_int(q);
        }
    }
    const enum storage_result ended = sql_end(q);
    if (result == STORAGE_OK && ended == STORAGE_OK &&
        (size_t)postgres->pq->PQntuples(columns) != table->column_count) {
        result = refuse(postgres, table, NULL, "PostgreSQL has more columns");
    }
    return ended == STORAGE_OK ? result : ended;
}

static enum storage_result require_no_rows(struct storage *sqlite, struct copy_postgres *postgres,
                                           const struct copy_table *table)
{
    char text[COPY_NAME_SIZE + 64];
    int64_t has_rows = 0;

    (void)snprintf(text, sizeof text, "SELECT EXISTS (SELECT 1 FROM \"%s\")", table->name);
    RETURN_FAILURE(sql_read_number(sqlite, text, &has_rows));
    return has_rows == 0
               ? STORAGE_OK
               : refuse(postgres, table, NULL, "it has rows, but PostgreSQL does not have it");
}

/* Reads a table's columns, or forgets the table if PostgreSQL does not have it. */
static enum storage_result match_table(struct storage *sqlite, struct copy_postgres *postgres,
                                       struct copy_schema *schema, const char *name)
{
    PGresult *columns = NULL;
    struct copy_table *table = add_table(schema, name);
    enum storage_result result = query_columns(postgres, table, &columns);

    if (result == STORAGE_OK && postgres->pq->PQntuples(columns) == 0) {
        result = require_no_rows(sqlite, postgres, table);
        schema->table_count--;
    } else if (result == STORAGE_OK) {
        result = match_columns(sqlite, postgres, table, columns);
    }
    postgres->pq->PQclear(columns);
    return result;
}

enum storage_result copy_schema_read(struct storage *sqlite, struct copy_postgres *postgres,
                                     struct copy_schema *schema)
{
    enum storage_result result = STORAGE_OK;
    struct sql q = sql_read(sqlite, "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                    " AND name NOT LIKE 'sqlite%' ORDER BY name");

    *schema = (struct copy_schema){.tables = NULL};
    while (result == STORAGE_OK && sql_next_row(&q)) {
        result = match_table(sqlite, postgres, schema, sql_borrow_text(&q));
    }
    const enum storage_result ended = sql_end(&q);
    return ended == STORAGE_OK ? result : ended;
}

void copy_schema_clear(struct copy_schema *schema)
{
    for (size_t i = 0; i < schema->table_count; i++) {
        free(schema->tables[i].columns);
    }
    free(schema->tables);
    *schema = (struct copy_schema){.tables = NULL};
}

/* Returns the name of the column at this place of the primary key; NULL: the key is shorter. */
static const char *find_key_column(const struct copy_table *table, unsigned place)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].key_place == place) {
            return table->columns[i].name;
        }
    }
    return NULL;
}

/* Writes the columns of the primary key in their order; all columns if there is no key. */
static void write_order(FILE *out, const struct copy_table *table)
{
    const char *name = find_key_column(table, 1);
    const bool has_key = name != NULL;

    for (unsigned place = 2; name != NULL; place++) {
        fprintf(out, "%s\"%s\"", place == 2 ? "" : ", ", name);
        name = find_key_column(table, place);
    }
    for (size_t i = 0; !has_key && i < table->column_count; i++) {
        fprintf(out, "%s%zu", i == 0 ? "" : ", ", i + 1);
    }
}

char *copy_schema_make_query(const struct copy_table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort(); /* out of memory */
    }
    fprintf(out, "SELECT ");
    for (size_t i = 0; i < table->column_count; i++) {
        fprintf(out, "%s\"%s\"", i == 0 ? "" : ", ", table->columns[i].name);
    }
    fprintf(out, " FROM \"%s\" ORDER BY ", table->name);
    write_order(out, table);
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    return text;
}
