#pragma once

#include "storage/sql/move_log.h"
#include "storage/sql/sql_engine.h"

#include <sqlite3.h>

/*
 * Inside storage/ only: runs one SQL statement, from its text to its result. Statements are
 * compiled once and kept, found by the address of their text, which must therefore be a constant.
 * Arguments are bound and columns are read in order:
 *
 *     struct sql q = sql_read(storage, "SELECT name FROM accounts WHERE id = ?");
 *     sql_bind_int(&q, id);
 *     if (sql_first_row(&q)) {
 *         sql_read_text(&q, name, sizeof name);
 *     }
 *     return sql_end(&q);
 *
 * After a failure the other calls do nothing, and sql_end returns the first failure.
 */
struct sql {
    struct storage *storage;
    struct sql_statement *statement;
    int bound;
    int column;
    enum storage_result result;
};

/* slots for statements: twice their number, so that looking one up stays fast */
#define SQL_SLOTS 512

#define STORAGE_PAGE_BYTES 4096

struct postgres;
struct cluster;

struct storage {
    const struct sql_engine *engine;
    sqlite3 *db;                /* NULL with another engine than SQLite */
    struct postgres *postgres;  /* NULL with another engine than PostgreSQL */
    struct cluster *cluster;    /* borrowed; NULL: no other node uses the data */
    sqlite3 *filled_from;       /* the database to copy when opening, borrowed; NULL: none */
    const char *disk;           /* name of the VFS, borrowed while opening; NULL: the default VFS */
    enum storage_result failed; /* the failure that blocks writes: see storage_commit */
    uint64_t turn;              /* see storage_last_turn */
    int log_pages; /* number of pages in the write-ahead log since the last checkpoint */
    int log_idle_pages, log_most_pages; /* sizes of the log in pages: see storage_set_log_limits */
    bool empty_log_when_idle;           /* see storage_empty_log_when_idle */
    struct move_log moves;
    char why[STORAGE_WHY_SIZE];
    struct {
        const char *text;
        struct sql_statement *statement;
    } slots[SQL_SLOTS];
};

/* sql_read and sql_write start a statement. sql_write also begins a transaction if there is
 * none. */
struct sql sql_read(struct storage *storage, const char *query);
struct sql sql_write(struct storage *storage, const char *statement);

/* Starts a query whose text need not be a constant: it is compiled for this one time. End it with
 * sql_end_once instead of sql_end. */
struct sql sql_read_once(struct storage *storage, const char *query);
enum storage_result sql_end_once(struct sql *q) MUST_CHECK;

/* Texts and bytes are borrowed until sql_end. sql_bind_text refuses a text that does not fit `size`
 * bytes with its NUL; sql_bind_id binds NULL for 0. */
void sql_bind_int(struct sql *q, int64_t value);
void sql_bind_id(struct sql *q, int64_t id);
void sql_bind_real(struct sql *q, double value);
void sql_bind_text(struct sql *q, const char *text, size_t size);
void sql_bind_bytes(struct sql *q, const void *bytes, size_t len);

/* Goes to the next row of the result; false when there is none. */
bool sql_next_row(struct sql *q);

/* Goes to the first row; true when there is one. If there is no row and no failure, the result of
 * sql_end is STORAGE_NOT_FOUND. */
bool sql_first_row(struct sql *q);

/* Each function reads the next column. NULL reads as 0 and "". A value that does not fit means a
 * damaged file. */
int64_t sql_read_int(struct sql *q);
/* Reads a number from 0 to `highest`; any other number reads as 0. For an enum, `highest` is the
 * constant …_LAST. */
unsigned sql_read_enum(struct sql *q, unsigned highest);
double sql_read_real(struct sql *q);
/* Copies a text. '?' stands for each byte that is no UTF-8. */
void sql_read_text(struct sql *q, char *text, size_t size);
void sql_read_bytes(struct sql *q, void *bytes, size_t len);
const char *sql_borrow_text(struct sql *q); /* the text is valid until the next row or sql_end */
const void *sql_borrow_bytes(struct sql *q,
                             size_t *len); /* like sql_borrow_text; NULL for no bytes */

/* What the next column holds, and the name that the statement gives it (borrowed until sql_end). */
enum sql_kind sql_column_kind(const struct sql *q);
const char *sql_column_name(const struct sql *q);
/* The number of columns of the statement's rows. */
int sql_column_count(const struct sql *q);

/* Ends the statement and returns its first failure. */
enum storage_result sql_end(struct sql *q) MUST_CHECK;

/* Runs an insertion or change with the arguments bound so far, and resets it: other arguments can
 * then be bound. */
void sql_run_and_reset(struct sql *q);

/* Runs a statement whose rows are not needed, and ends the statement. */
enum storage_result sql_run(struct sql *q) MUST_CHECK;

/*
 * Like sql_run and sql_run_and_reset, for writes that fail only if the program or the database
 * does. PostgreSQL runs such a write together with the next statement that waits for a result, or
 * with the commit, in one round trip. If the write fails then, that statement or the commit fails
 * with STORAGE_IO or STORAGE_FULL.
 */
enum storage_result sql_run_deferred(struct sql *q) MUST_CHECK;
void sql_defer_and_reset(struct sql *q);

/* Runs and ends an insertion of one row; sets *id to the row's number. */
enum storage_result sql_run_insertion(struct sql *q, int64_t *id) MUST_CHECK;

/* Runs and ends a statement that changes rows; STORAGE_NOT_FOUND when no row was changed. */
enum storage_result sql_run_change(struct sql *q) MUST_CHECK;

/* Runs and ends a statement that changes rows; sets *changed to their number. */
enum storage_result sql_run_and_count(struct sql *q, int64_t *changed) MUST_CHECK;

/* sql_savepoint_begin and sql_savepoint_end enclose several writes that belong together.
 * sql_savepoint_end undoes all of them when `result` is a failure, and returns `result` or its own
 * failure. */
enum storage_result sql_savepoint_begin(struct storage *storage) MUST_CHECK;
enum storage_result sql_savepoint_end(struct storage *storage,
                                      enum storage_result result) MUST_CHECK;

/* Runs SQL statements that are used only once. */
enum storage_result sql_run_script(struct storage *storage, const char *text) MUST_CHECK;

/* Reads a single number with an SQL query; 0 when there is no row. */
enum storage_result sql_read_number(struct storage *storage, const char *text,
                                    int64_t *value) MUST_CHECK;

void sql_finalize_all(struct storage *storage);
