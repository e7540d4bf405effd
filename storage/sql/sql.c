#include "storage/sql/sql.h"

#include "storage/sql/failed_sync.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* locking_mode comes first. It allows one connection only, which avoids the WAL-reset defect of
 * SQLite 3.7.0 to 3.51.2, and needs no shared memory. The cache size, in KiB, is enough for the
 * leaderboard's index of 100,000 players and for the last pages of the moves of all tables.
 * secure_delete overwrites deleted rows with zeros; Debian's SQLite does so by default, others may
 * not. */
static const char settings[] = "PRAGMA locking_mode = EXCLUSIVE;"
                               "PRAGMA journal_mode = WAL;"
                               "PRAGMA synchronous = FULL;"
                               "PRAGMA foreign_keys = ON;"
                               "PRAGMA secure_delete = ON;"
                               "PRAGMA trusted_schema = OFF;"
                               "PRAGMA cell_size_check = ON;"
                               "PRAGMA mmap_size = 0;"
                               "PRAGMA temp_store = MEMORY;"
                               "PRAGMA cache_size = -32768;"
                               "PRAGMA journal_size_limit = 67108864;";

const char *sql_settings(void)
{
    return settings;
}

static bool blocks_later_writes(enum storage_result result)
{
    return result == STORAGE_IO || result == STORAGE_CORRUPT;
}

/* Returns the errno of the last failure of one of the database's files. */
static int read_last_errno(sqlite3 *db, int file_opcode)
{
    sqlite3_file *file = NULL;
    int reason = 0;

    if (sqlite3_file_control(db, "main", file_opcode, &file) == SQLITE_OK && file != NULL &&
        file->pMethods != NULL) {
        (void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &reason);
    }
    return reason;
}

/* An exceeded quota or file size limit counts as a full disk too, but SQLite knows ENOSPC only.
 * Nothing durable is lost: the failure is of a write, not of a sync. */
static bool is_out_of_room(sqlite3 *db, int code)
{
    static const int files[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};

    for (size_t i = 0; code == SQLITE_IOERR_WRITE && i < ARRAY_LEN(files); i++) {
        const int reason = read_last_errno(db, files[i]);
        if (reason == EDQUOT || reason == EFBIG) {
            return true;
        }
    }
    return false;
}

static enum storage_result translate_result_code(sqlite3 *db, int code)
{
    switch (code & 0xFF) {
    case SQLITE_CONSTRAINT:
        return code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY ||
                       code == SQLITE_CONSTRAINT_ROWID
                   ? STORAGE_TAKEN
                   : STORAGE_REFUSED;
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
        return STORAGE_REFUSED;
    case SQLITE_FULL:
        return STORAGE_FULL;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return STORAGE_CORRUPT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return STORAGE_LOCKED;
    default:
        return is_out_of_room(db, code) ? STORAGE_FULL : STORAGE_IO;
    }
}

enum storage_result sql_handle_failure(struct storage *storage, int code)
{
    const enum storage_result result = translate_result_code(storage->db, code);

    if (result == STORAGE_TAKEN) {
        return result;
    }
    (void)snprintf(storage->why, sizeof storage->why, "%s (%d)", sqlite3_errmsg(storage->db), code);
    if (result != STORAGE_FULL && !blocks_later_writes(result)) {
        return result;
    }
    if (!blocks_later_writes(storage->failed)) {
        storage->failed = result;
        if (result == STORAGE_IO) {
            failed_sync_write_mark(storage);
        }
    }
    if (!sqlite3_get_autocommit(storage->db)) {
        /* SQLite may have rolled back already. In any case no part of the transaction may be
         * committed. */
        (void)sqlite3_exec(storage->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return result;
}

/* Returns the slot of the compiled statement with this SQL text, or a free slot for it. */
static size_t find_statement_slot(const struct storage *storage, const char *text)
{
    size_t slot = ((uintptr_t)text >> 3) * 2654435761U % SQL_SLOTS;
    size_t seen = 0;

    while (storage->slots[slot].text != NULL && storage->slots[slot].text != text) {
        slot = (slot + 1) % SQL_SLOTS;
        seen++;
        assert(seen < SQL_SLOTS); /* there are more slots than statements */
    }
    return slot;
}

struct sql sql_read(struct storage *storage, const char *query)
{
    struct sql q = {.storage = storage};
    const size_t slot = find_statement_slot(storage, query);

    if (storage->slots[slot].text == NULL) {
        const int code = sqlite3_prepare_v3(storage->db, query, -1, SQLITE_PREPARE_PERSISTENT,
                                            &storage->slots[slot].statement, NULL);
        if (code != SQLITE_OK) {
            q.result = sql_handle_failure(storage, code);
            return q;
        }
        storage->slots[slot].text = query;
    }
    q.statement = storage->slots[slot].statement;
    /* a callback must not call the function that called it */
    assert(!sqlite3_stmt_busy(q.statement));
    return q;
}

static enum storage_result begin_transaction(struct storage *storage)
{
    if (!sqlite3_get_autocommit(storage->db)) {
        return STORAGE_OK;
    }
    struct sql q = sql_read(storage, "BEGIN IMMEDIATE");
    return sql_run(&q);
}

struct sql sql_write(struct storage *storage, const char *statement)
{
    enum storage_result result = storage->failed;

    if (result == STORAGE_OK) {
        result = begin_transaction(storage);
    }
    if (result != STORAGE_OK) {
        return (struct sql){.storage = storage, .result = result};
    }
    return sql_read(storage, statement);
}

static void note_failure(struct sql *q, int code)
{
    if (code != SQLITE_OK) {
        q->result = sql_handle_failure(q->storage, code);
    }
}

void sql_bind_int(struct sql *q, int64_t value)
{
    q->bound++;
    if (q->result == STORAGE_OK) {
        note_failure(q, sqlite3_bind_int64(q->statement, q->bound, value));
    }
}

void sql_bind_id(struct sql *q, int64_t id)
{
    if (id != 0) {
        sql_bind_int(q, id);
        return;
    }
    q->bound++;
    if (q->result == STORAGE_OK) {
        note_failure(q, sqlite3_bind_null(q->statement, q->bound));
    }
}

void sql_bind_real(struct sql *q, double value)
{
    q->bound++;
    if (q->result == STORAGE_OK) {
        note_failure(q, sqlite3_bind_double(q->statement, q->bound, value));
    }
}

void sql_bind_text(struct sql *q, const char *text, size_t size)
{
    q->bound++;
    if (q->result != STORAGE_OK) {
        return;
    }
    const size_t len = strnlen(text, size);
    if (len == size) {
        (void)snprintf(q->storage->why, sizeof q->storage->why,
                       "a text is longer than the %zu bytes reserved for it", size - 1);
        q->result = STORAGE_REFUSED;
        return;
    }
    note_failure(q, sqlite3_bind_text(q->statement, q->bound, text, (int)len, SQLITE_STATIC));
}

void sql_bind_bytes(struct sql *q, const void *bytes, size_t len)
{
    q->bound++;
    if (q->result == STORAGE_OK) {
        note_failure(q, sqlite3_bind_blob(q->statement, q->bound, bytes, (int)len, SQLITE_STATIC));
    }
}

bool sql_next_row(struct sql *q)
{
    if (q->result != STORAGE_OK) {
        return false;
    }
    const int code = sqlite3_step(q->statement);
    if (code == SQLITE_ROW) {
        q->column = 0;
        return true;
    }
    if (code != SQLITE_DONE) {
        /* Resets first: a failure may need a rollback, which a running statement prevents. */
        (void)sqlite3_reset(q->statement);
        q->result = sql_handle_failure(q->storage, code);
    }
    return false;
}

bool sql_first_row(struct sql *q)
{
    if (sql_next_row(q)) {
        return true;
    }
    if (q->result == STORAGE_OK) {
        q->result = STORAGE_NOT_FOUND;
    }
    return false;
}

static void note_damaged_value(struct sql *q)
{
    (void)snprintf(q->storage->why, sizeof q->storage->why,
                   "a stored value does not have the size it was written with: %s",
                   sqlite3_sql(q->statement));
    q->storage->failed = STORAGE_CORRUPT;
    q->result = STORAGE_CORRUPT;
}

int64_t sql_read_int(struct sql *q)
{
    return sqlite3_column_int64(q->statement, q->column++);
}

unsigned sql_read_enum(struct sql *q, unsigned highest)
{
    const int64_t value = sql_read_int(q);

    return value >= 0 && value <= highest ? (unsigned)value : 0;
}

double sql_read_real(struct sql *q)
{
    return sqlite3_column_double(q->statement, q->column++);
}

const char *sql_borrow_text(struct sql *q)
{
    const unsigned char *text = sqlite3_column_text(q->statement, q->column++);

    return text == NULL ? "" : (const char *)text;
}

const void *sql_borrow_bytes(struct sql *q, size_t *len)
{
    const void *stored = sqlite3_column_blob(q->statement, q->column);

    *len = (size_t)sqlite3_column_bytes(q->statement, q->column++);
    return stored;
}

void sql_read_text(struct sql *q, char *text, size_t size)
{
    const char *stored = sql_borrow_text(q);
    const size_t len = strnlen(stored, size);

    if (len == size) {
        note_damaged_value(q);
        text[0] = '\0';
        return;
    }
    memcpy(text, stored, len + 1);
}

void sql_read_bytes(struct sql *q, void *bytes, size_t len)
{
    const void *stored = sqlite3_column_blob(q->statement, q->column);
    const int stored_len = sqlite3_column_bytes(q->statement, q->column);

    q->column++;
    if (stored == NULL || (size_t)stored_len != len) {
        note_damaged_value(q);
        memset(bytes, 0, len);
        return;
    }
    memcpy(bytes, stored, len);
}

enum sql_kind sql_column_kind(const struct sql *q)
{
    switch (sqlite3_column_type(q->statement, q->column)) {
    case SQLITE_NULL:
        return SQL_KIND_NULL;
    case SQLITE_INTEGER:
        return SQL_KIND_INT;
    case SQLITE_FLOAT:
        return SQL_KIND_REAL;
    default:
        return SQL_KIND_TEXT;
    }
}

const char *sql_column_name(const struct sql *q)
{
    return sqlite3_column_name(q->statement, q->column);
}

int sql_column_count(const struct sql *q)
{
    return sqlite3_column_count(q->statement);
}

static void reset_statement(struct sql *q)
{
    q->bound = 0;
    if (q->statement != NULL) {
        /* sqlite3_reset returns the failure of the last step again, which was handled at that
         * step. */
        (void)sqlite3_reset(q->statement);
    }
}

enum storage_result sql_end(struct sql *q)
{
    reset_statement(q);
    return q->result;
}

void sql_run_and_reset(struct sql *q)
{
    while (sql_next_row(q)) {
    }
    reset_statement(q);
}

enum storage_result sql_run(struct sql *q)
{
    sql_run_and_reset(q);
    return q->result;
}

enum storage_result sql_run_insertion(struct sql *q, int64_t *id)
{
    const enum storage_result result = sql_run(q);

    if (result == STORAGE_OK) {
        *id = sqlite3_last_insert_rowid(q->storage->db);
    }
    return result;
}

enum storage_result sql_run_change(struct sql *q)
{
    enum storage_result result = sql_run(q);

    if (result == STORAGE_OK && sqlite3_changes(q->storage->db) == 0) {
        result = STORAGE_NOT_FOUND;
    }
    return result;
}

enum storage_result sql_run_and_count(struct sql *q, int64_t *changed)
{
    const enum storage_result result = sql_run(q);

    *changed = result == STORAGE_OK ? sqlite3_changes64(q->storage->db) : 0;
    return result;
}

enum storage_result sql_savepoint_begin(struct storage *storage)
{
    struct sql q = sql_write(storage, "SAVEPOINT together");

    return sql_run(&q);
}

enum storage_result sql_savepoint_end(struct storage *storage, enum storage_result result)
{
    if (storage->failed != STORAGE_OK) {
        return result; /* the rollback removed the savepoint too */
    }
    if (result != STORAGE_OK) {
        struct sql back = sql_read(storage, "ROLLBACK TO together");
        const enum storage_result undone = sql_run(&back);
        if (undone != STORAGE_OK) {
            return undone;
        }
    }
    struct sql release = sql_read(storage, "RELEASE together");
    const enum storage_result released = sql_run(&release);
    return result != STORAGE_OK ? result : released;
}

enum storage_result sql_run_script(struct storage *storage, const char *text)
{
    const int code = sqlite3_exec(storage->db, text, NULL, NULL, NULL);

    return code == SQLITE_OK ? STORAGE_OK : sql_handle_failure(storage, code);
}

enum storage_result sql_read_number(struct storage *storage, const char *text, int64_t *value)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(storage->db, text, -1, &statement, NULL);

    *value = 0;
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            *value = sqlite3_column_int64(statement, 0);
        }
    }
    /* sqlite3_finalize repeats the failure of the last step, so one check is enough. */
    code = statement == NULL ? code : sqlite3_finalize(statement);
    return code == SQLITE_OK ? STORAGE_OK : sql_handle_failure(storage, code);
}

void sql_finalize_all(struct storage *storage)
{
    for (size_t i = 0; i < SQL_SLOTS; i++) {
        (void)sqlite3_finalize(storage->slots[i].statement);
        storage->slots[i].statement = NULL;
        storage->slots[i].text = NULL;
    }
}
