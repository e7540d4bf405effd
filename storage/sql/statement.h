#pragma once

#include "storage/sql/sql.h"

/*
 * Inside storage/ only: writes a statement and its arguments as one expression, and reads the kinds
 * of results that many statements have.
 *
 *     return sql_run(SQL_WRITE(storage, "DELETE FROM keys WHERE account = ? AND fingerprint = ?",
 *                              SQL_INT(account), SQL_TEXT(key, STORAGE_FINGERPRINT_SIZE)));
 */
enum statement_kind {
    STATEMENT_END,
    STATEMENT_INT,
    STATEMENT_ID,
    STATEMENT_REAL,
    STATEMENT_TEXT,
};

struct statement_argument {
    enum statement_kind kind;
    int64_t number;
    double real;
    const char *text;
    size_t size;
};

/* The arguments of a statement. Each is bound by the function sql_bind_… of the same name; SQL_NONE
 * ends the list. */
#define SQL_INT(value) ((struct statement_argument){.kind = STATEMENT_INT, .number = (value)})
#define SQL_ID(value) ((struct statement_argument){.kind = STATEMENT_ID, .number = (value)})
#define SQL_REAL(value) ((struct statement_argument){.kind = STATEMENT_REAL, .real = (value)})
#define SQL_TEXT(words, limit)                                                                     \
    ((struct statement_argument){.kind = STATEMENT_TEXT, .text = (words), .size = (limit)})
#define SQL_NONE ((struct statement_argument){.kind = STATEMENT_END})

/* A pointer to a statement whose arguments are bound. It is valid until the end of the block. */
#define SQL_READ(storage, text, ...) SQL_BIND(sql_read(storage, text), __VA_ARGS__)
#define SQL_WRITE(storage, text, ...) SQL_BIND(sql_write(storage, text), __VA_ARGS__)
#define SQL_BIND(statement, ...)                                                                   \
    ((struct sql[]){                                                                               \
        statement_bind(statement, (const struct statement_argument[]){__VA_ARGS__, SQL_NONE})})

/* Evaluates the expression and returns its result from the function, unless it is STORAGE_OK. */
#define RETURN_FAILURE(expression)                                                                 \
    do {                                                                                           \
        const enum storage_result returned = (expression);                                         \
        if (returned != STORAGE_OK) {                                                              \
            return returned;                                                                       \
        }                                                                                          \
    } while (0)

/* Binds the arguments in order, up to SQL_NONE. */
struct sql statement_bind(struct sql q, const struct statement_argument *arguments);

/* Each function reads the only column of the first row and ends the statement. If there is no row,
 * it returns STORAGE_NOT_FOUND and leaves *number unchanged. */
enum storage_result statement_read_number(struct sql *q, int64_t *number) MUST_CHECK;
enum storage_result statement_read_count(struct sql *q, uint32_t *number) MUST_CHECK;
enum storage_result statement_read_real(struct sql *q, double *number) MUST_CHECK;

/* Reads a number and ends the statement; if there is no row, sets *number to `fallback` and returns
 * STORAGE_OK. */
enum storage_result statement_read_number_or(struct sql *q, int64_t fallback,
                                             int64_t *number) MUST_CHECK;

/* Sets *is_there to whether the result has a row, and ends the statement. */
enum storage_result statement_has_row(struct sql *q, bool *is_there) MUST_CHECK;
