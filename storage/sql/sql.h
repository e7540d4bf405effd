#pragma once

#include "storage/sql/move_log.h"
#include "storage/storage.h"

#include <sqlite3.h>

/*
 * Inside storage/ only: one statement from its text to its result. Statements are compiled once and
 * kept, found by the address of their text, which must therefore be a constant. Arguments are bound
 * and columns are read in order:
 *
 *     struct sql q = sql_read(storage, "SELECT name FROM accounts WHERE id = ?");
 *     sql_bind_int(&q, id);
 *     if (sql_first(&q)) {
 *         sql_text(&q, name, sizeof name);
 *     }
 *     return sql_end(&q);
 *
 * After a failure the other calls do nothing, and sql_end returns the first failure.
 */
struct sql {
    struct storage *storage;
    sqlite3_stmt *statement;
    int bound;
    int column;
    enum storage_result result;
};

/* Twice the number of statements, so that a lookup stays short. */
#define SQL_SLOTS 512

#define STORAGE_PAGE_BYTES 4096

struct storage {
    sqlite3 *db;
    sqlite3 *filled_from; /* NULL; the initial content, borrowed while opening */
    const char *disk;     /* NULL: the default VFS; borrowed while opening */
    enum storage_result
        failed;    /* STORAGE_FULL until the transaction ends, _IO, _CORRUPT for ever */
    int log_pages; /* in the log since the last checkpoint */
    int log_idle_pages, log_most_pages; /* storage_set_log_limits */
    struct move_log moves;
    char why[STORAGE_WHY_SIZE];
    struct {
        const char *text;
        sqlite3_stmt *statement;
    } slots[SQL_SLOTS];
};

/* sql_write begins a transaction if there is none. */
struct sql sql_read(struct storage *storage, const char *text);
struct sql sql_write(struct storage *storage, const char *text);

/* Texts and bytes are borrowed until sql_end. sql_bind_text refuses a text of `size` bytes or more
 * (its NUL included); sql_bind_id binds NULL for 0. */
void sql_bind_int(struct sql *q, int64_t value);
void sql_bind_id(struct sql *q, int64_t id);
void sql_bind_real(struct sql *q, double value);
void sql_bind_text(struct sql *q, const char *text, size_t size);
void sql_bind_bytes(struct sql *q, const void *bytes, size_t len);

/* Steps to the next row; true while there is one. */
bool sql_row(struct sql *q);

/* Steps to the first row; true when there is one. Without one, and without a failure, the result is
 * STORAGE_NOT_FOUND. */
bool sql_first(struct sql *q);

/* Read the next column. NULL reads as 0 and "". A value that does not fit means a damaged file. */
int64_t sql_int(struct sql *q);
/* Reads a number from 0 to `last`; any other number reads as 0. For an enum `last` is its ..._LAST,
 * which names its last member. */
unsigned sql_choice(struct sql *q, unsigned last);
double sql_real(struct sql *q);
void sql_text(struct sql *q, char *text, size_t size);
void sql_bytes(struct sql *q, void *bytes, size_t len);
const char *sql_borrow(struct sql *q);                    /* valid until the next row or sql_end */
const void *sql_borrow_bytes(struct sql *q, size_t *len); /* the same; NULL for none */

/* Releases the statement and returns the first failure. */
enum storage_result sql_end(struct sql *q) MUST_CHECK;

/* Runs a write with the arguments bound so far and makes it ready for the next arguments. */
void sql_run_again(struct sql *q);

/* Runs a statement whose rows are not needed, and ends it. */
enum storage_result sql_run(struct sql *q) MUST_CHECK;

/* The same for an insertion of one row: sets *id to its number. */
enum storage_result sql_run_new(struct sql *q, int64_t *id) MUST_CHECK;

/* The same for a change; STORAGE_NOT_FOUND when no row was changed. */
enum storage_result sql_run_on_row(struct sql *q) MUST_CHECK;

/* Enclose several writes that belong together: sql_group_end undoes all of them when `result` is a
 * failure. It returns the result, or a failure of its own. */
enum storage_result sql_group_begin(struct storage *storage) MUST_CHECK;
enum storage_result sql_group_end(struct storage *storage, enum storage_result result) MUST_CHECK;

/* Translates an SQLite result code for callers and keeps its words for storage_last_failure. Rolls
 * the transaction back if the failure affects all of it. */
enum storage_result sql_failed(struct storage *storage, int code);

/* Runs statements that are used only once. */
enum storage_result sql_script(struct storage *storage, const char *text) MUST_CHECK;

/* Reads a single number; 0 when there is none. */
enum storage_result sql_number(struct storage *storage, const char *text,
                               int64_t *value) MUST_CHECK;

/* The settings of every connection, as one script; run it outside a transaction, before anything
 * else. */
const char *sql_settings(void);

void sql_finalize_all(struct storage *storage);
