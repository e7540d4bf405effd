#pragma once

#include "storage/sql/libpq.h"
#include "storage/storage.h"

/* Inside storage/ only: the connection to the PostgreSQL database that is copied to or from.
 * It runs its own statements, most of which only a copy needs. */
struct copy_postgres {
    const struct libpq *pq;
    PGconn *connection;
    char *why; /* borrowed, STORAGE_WHY_SIZE bytes: describes the last failure */
};

/* Connects to the database. `why` is borrowed until copy_postgres_close. Returns STORAGE_OK or _IO;
 * call copy_postgres_close in both cases. */
enum storage_result copy_postgres_connect(struct copy_postgres *postgres, const char *url,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Ends the connection; the server rolls back what was not committed. */
void copy_postgres_close(struct copy_postgres *postgres);

/* Begins a transaction with the statement `begin`; it may take long. */
enum storage_result copy_postgres_begin(struct copy_postgres *postgres,
                                        const char *begin) MUST_CHECK;

/* Runs one statement (printf) whose rows are not needed. Returns STORAGE_OK, _REFUSED if the data
 * break a rule of the database, _FULL or _IO. */
enum storage_result copy_postgres_run(struct copy_postgres *postgres, const char *format, ...)
    __attribute__((format(printf, 2, 3))) MUST_CHECK;

/* Runs one query (printf). *rows becomes its rows, which the caller clears with PQclear; NULL after
 * a failure. Returns STORAGE_OK or _IO. */
enum storage_result copy_postgres_query(struct copy_postgres *postgres, PGresult **rows,
                                        const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* Reads the only value of the only row of a query as a number. Returns STORAGE_OK or _IO. */
enum storage_result copy_postgres_read_number(struct copy_postgres *postgres, int64_t *number,
                                              const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* Describes the failure of a statement in `why`, after the name of the table (NULL: none), and
 * returns its result. */
enum storage_result copy_postgres_fail(struct copy_postgres *postgres, const PGresult *failed,
                                       const char *table);

/* Begins a COPY (`text`) to or from the table, which puts the connection into this state. */
enum storage_result copy_postgres_begin_copy(struct copy_postgres *postgres, ExecStatusType state,
                                             const char *text, const char *table) MUST_CHECK;

/* The rows that the server sends in a COPY. */
struct copy_stream {
    bool has_begun;
    char *bytes; /* the row received last; copy_postgres_end_copy releases it */
};

/* Receives the next row: its bytes, borrowed until the next call. Returns false when there is no
 * more, also after a failure, which copy_postgres_end_copy returns. */
bool copy_postgres_next_row(struct copy_postgres *postgres, struct copy_stream *stream,
                            const uint8_t **row, size_t *len);

/* Ends a COPY; `stream` is NULL if the rows went to the server. *failed becomes the first failure,
 * which the caller clears with PQclear; NULL: none. */
void copy_postgres_end_copy(struct copy_postgres *postgres, struct copy_stream *stream,
                            PGresult **failed);
