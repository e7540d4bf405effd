#include "storage/sql/sql.h"

#include <errno.h>
#include <stdio.h>

/* SQLite as the engine of sql.h. A struct sql_statement is a sqlite3_stmt. */

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

const char *sql_sqlite_settings(void)
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

enum storage_result sql_sqlite_handle_failure(struct storage *storage, int code)
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

static sqlite3_stmt *as_sqlite(struct sql_statement *statement)
{
    return (sqlite3_stmt *)statement;
}

static enum storage_result check_code(struct storage *storage, int code)
{
    return code == SQLITE_OK ? STORAGE_OK : sql_sqlite_handle_failure(storage, code);
}

static enum storage_result compile(struct storage *storage, const char *text, UNUSED bool is_write,
                                   struct sql_statement **statement)
{
    sqlite3_stmt *compiled = NULL;
    const int code =
        sqlite3_prepare_v3(storage->db, text, -1, SQLITE_PREPARE_PERSISTENT, &compiled, NULL);

    *statement = (struct sql_statement *)compiled;
    return check_code(storage, code);
}

static void forget(struct sql_statement *statement)
{
    (void)sqlite3_finalize(as_sqlite(statement));
}

static bool is_running(struct sql_statement *statement)
{
    return sqlite3_stmt_busy(as_sqlite(statement)) != 0;
}

static enum storage_result bind(struct storage *storage, struct sql_statement *statement, int place,
                                const struct sql_value *value)
{
    sqlite3_stmt *sqlite = as_sqlite(statement);
    const int len = (int)value->len;

    switch (value->kind) {
    case SQL_KIND_INT:
        return check_code(storage, sqlite3_bind_int64(sqlite, place, value->number));
    case SQL_KIND_REAL:
        return check_code(storage, sqlite3_bind_double(sqlite, place, value->real));
    case SQL_KIND_TEXT:
        return check_code(storage,
                          sqlite3_bind_text(sqlite, place, value->bytes, len, SQLITE_STATIC));
    case SQL_KIND_BYTES:
        return check_code(storage,
                          sqlite3_bind_blob(sqlite, place, value->bytes, len, SQLITE_STATIC));
    case SQL_KIND_NULL:
    case SQL_KIND_END:
        break;
    }
    return check_code(storage, sqlite3_bind_null(sqlite, place));
}

static enum sql_step step(struct storage *storage, struct sql_statement *statement,
                          enum storage_result *result)
{
    const int code = sqlite3_step(as_sqlite(statement));

    if (code == SQLITE_ROW) {
        return SQL_STEP_ROW;
    }
    if (code == SQLITE_DONE) {
        storage->last_id = sqlite3_last_insert_rowid(storage->db);
        storage->changes = sqlite3_changes64(storage->db);
        return SQL_STEP_DONE;
    }
    /* Resets first: a failure may need a rollback, which a running statement prevents. */
    (void)sqlite3_reset(as_sqlite(statement));
    *result = sql_sqlite_handle_failure(storage, code);
    return SQL_STEP_FAILED;
}

/* sqlite3_reset returns the failure of the last step again, which was handled at that step. */
static void reset(struct sql_statement *statement)
{
    (void)sqlite3_reset(as_sqlite(statement));
}

static int count_columns(struct sql_statement *statement)
{
    return sqlite3_column_count(as_sqlite(statement));
}

static const char *get_column_name(struct sql_statement *statement, int column)
{
    return sqlite3_column_name(as_sqlite(statement), column);
}

static void read_column(struct sql_statement *statement, int column, struct sql_value *value)
{
    sqlite3_stmt *sqlite = as_sqlite(statement);
    const void *blob;

    switch (sqlite3_column_type(sqlite, column)) {
    case SQLITE_INTEGER:
        *value = SQL_INT(sqlite3_column_int64(sqlite, column));
        break;
    case SQLITE_FLOAT:
        *value = SQL_REAL(sqlite3_column_double(sqlite, column));
        break;
    case SQLITE_TEXT:
        value->kind = SQL_KIND_TEXT;
        value->bytes = sqlite3_column_text(sqlite, column);
        value->len = (size_t)sqlite3_column_bytes(sqlite, column);
        break;
    case SQLITE_BLOB:
        blob = sqlite3_column_blob(sqlite, column);
        value->kind = SQL_KIND_BYTES;
        value->bytes = blob == NULL ? "" : blob;
        value->len = (size_t)sqlite3_column_bytes(sqlite, column);
        break;
    default:
        break;
    }
}

static const char *borrow_text(struct sql_statement *statement, int column)
{
    return (const char *)sqlite3_column_text(as_sqlite(statement), column);
}

static bool is_in_transaction(const struct storage *storage)
{
    return sqlite3_get_autocommit(storage->db) == 0;
}

static void roll_back(struct storage *storage)
{
    (void)sqlite3_exec(storage->db, "ROLLBACK", NULL, NULL, NULL);
}

static enum storage_result run_script(struct storage *storage, const char *text)
{
    return check_code(storage, sqlite3_exec(storage->db, text, NULL, NULL, NULL));
}

const struct sql_engine sql_sqlite = {
    .compile = compile,
    .forget = forget,
    .is_running = is_running,
    .bind = bind,
    .step = step,
    .reset = reset,
    .count_columns = count_columns,
    .column_name = get_column_name,
    .read = read_column,
    .borrow_text = borrow_text,
    .begin = "BEGIN IMMEDIATE",
    .take_room = "INSERT OR REPLACE INTO meta (name, value)"
                 " VALUES ('room', hex(zeroblob(131072)))",
    .is_in_transaction = is_in_transaction,
    .roll_back = roll_back,
    .run_script = run_script,
};
