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
        (void)snprintf(why, STORAGE_WHY_SIZE, "this is not the URL of a PostgreSQL database");
        return STORAGE_IO;
    }
    postgres->connection = postgres->pq->PQconnectdbParams(keys, values, true);
    if (postgres->pq->PQstatus(postgres->connection) != CONNECTION_OK) {
        const char *message = postgres->pq->PQerrorMessage(postgres->connection);
        (void)snprintf(why, STORAGE_WHY_SIZE, "%.*s", (int)strcspn(message, "\n"), message);
        return STORAGE_IO;
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
