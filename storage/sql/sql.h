#ifndef STORAGE_SQL_SQL_H
#define STORAGE_SQL_SQL_H

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
 * Once something has failed the rest does nothing, and sql_end tells the first failure.
 */
struct sql {
    struct storage *storage;
    sqlite3_stmt *statement;
    int bound;
    int column;
    enum storage_result result;
};

/* Twice the statements there are, so that looking one up stays short. */
#define SQL_SLOTS 512

#define STORAGE_PAGE_BYTES 4096

struct storage {
    sqlite3 *db;
    sqlite3 *filled_from; /* NULL; what to begin with, borrowed while opening */
    const char *disk;     /* NULL: the machine's; borrowed while opening */
    enum storage_result
        failed;    /* STORAGE_FULL until the transaction ends, _IO, _CORRUPT for ever */
    int log_pages; /* committed to the log since it was last moved into the file */
    int log_idle_pages, log_most_pages; /* storage_set_log */
    struct move_log moves;
    char why[STORAGE_WHY_SIZE];
    struct {
        const char *text;
        sqlite3_stmt *statement;
    } slots[SQL_SLOTS];
};

/* sql_write begins a transaction if none is on. */
struct sql sql_read(struct storage *storage, const char *text);
struct sql sql_write(struct storage *storage, const char *text);

/* Texts and bytes are borrowed until sql_end. sql_bind_text refuses a text of `size` bytes or more
 * (its NUL included); sql_bind_id binds NULL for 0. */
void sql_bind_int(struct sql *q, int64_t value);
void sql_bind_id(struct sql *q, int64_t id);
void sql_bind_real(struct sql *q, double value);
void sql_bind_text(struct sql *q, const char *text, size_t size);
void sql_bind_bytes(struct sql *q, const void *bytes, size_t len);

/* True while there is a row. */
bool sql_row(struct sql *q);

/* True when there is a first row; else, if nothing failed, the result is STORAGE_NOT_FOUND. */
bool sql_first(struct sql *q);

/* The next column. NULL reads as 0 and "". What does not fit means a damaged file. */
int64_t sql_int(struct sql *q);
/* 0 to `last`, any other number reads as 0; of an enum its ..._LAST, which names its last member.
 */
unsigned sql_choice(struct sql *q, unsigned last);
double sql_real(struct sql *q);
void sql_text(struct sql *q, char *text, size_t size);
void sql_bytes(struct sql *q, void *bytes, size_t len);
const char *sql_borrow(struct sql *q);                    /* until the next row or end */
const void *sql_borrow_bytes(struct sql *q, size_t *len); /* the same; NULL for none */

/* Releases the statement; the first failure. */
enum storage_result sql_end(struct sql *q) MUST_CHECK;

/* Runs a write with the arguments bound so far and makes it ready for others. */
void sql_run_again(struct sql *q);

/* All rows of a statement that has none worth reading, and its end. */
enum storage_result sql_run(struct sql *q) MUST_CHECK;

/* The same for one new row: sets its number. */
enum storage_result sql_run_new(struct sql *q, int64_t *id) MUST_CHECK;

/* The same; STORAGE_NOT_FOUND when no row was changed. */
enum storage_result sql_run_on_row(struct sql *q) MUST_CHECK;

/* Around several writes that belong together: undone as a whole when `result` is a failure. Returns
 * the result, or a failure of its own. */
enum storage_result sql_group_begin(struct storage *storage) MUST_CHECK;
enum storage_result sql_group_end(struct storage *storage, enum storage_result result) MUST_CHECK;

/* What a code of the engine means to callers; keeps its words for storage_why, and undoes the
 * transaction if the failure is one that takes it all. */
enum storage_result sql_failed(struct storage *storage, int code);

/* Runs statements that are used once. */
enum storage_result sql_script(struct storage *storage, const char *text) MUST_CHECK;

/* A single number; 0 when there is none. */
enum storage_result sql_number(struct storage *storage, const char *text,
                               int64_t *value) MUST_CHECK;

/* How every connection is set, as one script; outside a transaction, before anything else. */
const char *sql_settings(void);

void sql_finalize_all(struct storage *storage);

#endif
