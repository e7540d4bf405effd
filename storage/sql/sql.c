#include "storage/sql/sql.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

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

static struct sql start(struct storage *storage, const char *text, bool is_write)
{
    struct sql q = {.storage = storage, .text = text};
    const size_t slot = find_statement_slot(storage, text);

    if (storage->slots[slot].text == NULL) {
        q.result =
            storage->engine->compile(storage, text, is_write, &storage->slots[slot].statement);
        if (q.result != STORAGE_OK) {
            return q;
        }
        storage->slots[slot].text = text;
    }
    q.statement = storage->slots[slot].statement;
    /* a callback must not call the function that called it */
    assert(!storage->engine->is_running(q.statement));
    return q;
}

struct sql sql_read(struct storage *storage, const char *query)
{
    return start(storage, query, false);
}

/* Begins a transaction if there is none and nothing blocks writes. */
static enum storage_result begin_transaction(struct storage *storage)
{
    if (storage->failed != STORAGE_OK || storage->engine->is_in_transaction(storage)) {
        return storage->failed;
    }
    struct sql q = sql_read(storage, storage->engine->begin);
    return sql_run_deferred(&q);
}

struct sql sql_write(struct storage *storage, const char *statement)
{
    const enum storage_result result = begin_transaction(storage);

    if (result != STORAGE_OK) {
        return (struct sql){.storage = storage, .result = result};
    }
    return start(storage, statement, true);
}

void sql_bind_value(struct sql *q, const struct sql_value *value)
{
    q->bound++;
    if (q->result != STORAGE_OK) {
        return;
    }
    q->result =
        value->size > 0 && value->len == value->size
            ? storage_fail(q->storage->why, STORAGE_REFUSED,
                           "a text is longer than the %zu bytes reserved for it", value->size - 1)
            : q->storage->engine->bind(q->storage, q->statement, q->bound, value);
}

void sql_bind_int(struct sql *q, int64_t value)
{
    sql_bind_value(q, &SQL_INT(value));
}

void sql_bind_id(struct sql *q, int64_t id)
{
    const struct sql_value value = SQL_ID(id);

    sql_bind_value(q, &value);
}

void sql_bind_real(struct sql *q, double value)
{
    sql_bind_value(q, &SQL_REAL(value));
}

void sql_bind_text(struct sql *q, const char *text, size_t size)
{
    const struct sql_value value = SQL_TEXT(text, size);

    sql_bind_value(q, &value);
}

void sql_bind_bytes(struct sql *q, const void *bytes, size_t len)
{
    sql_bind_value(q,
                   &(const struct sql_value){.kind = SQL_KIND_BYTES, .bytes = bytes, .len = len});
}

bool sql_next_row(struct sql *q)
{
    if (q->result != STORAGE_OK) {
        return false;
    }
    q->column = 0;
    return q->storage->engine->step(q->storage, q->statement, &q->result) == SQL_STEP_ROW;
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
                   "a stored value does not have the size it was written with: %s", q->text);
    q->storage->failed = STORAGE_CORRUPT;
    q->result = STORAGE_CORRUPT;
}

struct sql_value sql_read_value(struct sql *q)
{
    struct sql_value value = {.kind = SQL_KIND_NULL};

    q->storage->engine->read(q->statement, q->column++, &value);
    return value;
}

int64_t sql_read_int(struct sql *q)
{
    const struct sql_value value = sql_read_value(q);

    return value.kind == SQL_KIND_REAL   ? (int64_t)value.real
           : value.kind == SQL_KIND_TEXT ? strtoll(value.bytes, NULL, 10)
                                         : value.number;
}

unsigned sql_read_enum(struct sql *q, unsigned highest)
{
    const int64_t value = sql_read_int(q);

    return value >= 0 && value <= highest ? (unsigned)value : 0;
}

double sql_read_real(struct sql *q)
{
    const struct sql_value value = sql_read_value(q);

    return value.kind == SQL_KIND_INT    ? (double)value.number
           : value.kind == SQL_KIND_TEXT ? strtod(value.bytes, NULL)
                                         : value.real;
}

const char *sql_borrow_text(struct sql *q)
{
    const char *text = q->storage->engine->borrow_text(q->statement, q->column++);

    return text == NULL ? "" : text;
}

const void *sql_borrow_bytes(struct sql *q, size_t *len)
{
    const struct sql_value value = sql_read_value(q);

    *len = value.len;
    return value.len > 0 ? value.bytes : NULL;
}

/* Replaces bytes that are no UTF-8: another program may have written them to the file, and JSON
 * would refuse the whole text. */
static void replace_bad_bytes(char *text)
{
    utf8proc_int32_t point;

    for (utf8proc_ssize_t len; *text != '\0'; text += len > 0 ? len : 1) {
        len = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point);
        if (len <= 0) {
            *text = '?';
        }
    }
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
    replace_bad_bytes(text);
}

void sql_read_bytes(struct sql *q, void *bytes, size_t len)
{
    size_t stored_len = 0;
    const void *stored = sql_borrow_bytes(q, &stored_len);

    if (stored == NULL || stored_len != len) {
        note_damaged_value(q);
        memset(bytes, 0, len);
        return;
    }
    memcpy(bytes, stored, len);
}

const char *sql_column_name(const struct sql *q)
{
    return q->storage->engine->column_name(q->statement, q->column);
}

int sql_column_count(const struct sql *q)
{
    return q->storage->engine->count_columns(q->statement);
}

static void reset_statement(struct sql *q)
{
    q->bound = 0;
    if (q->statement != NULL) {
        q->storage->engine->reset(q->statement);
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

void sql_defer_and_reset(struct sql *q)
{
    if (q->storage->engine->defer == NULL) {
        sql_run_and_reset(q);
        return;
    }
    if (q->result == STORAGE_OK) {
        q->result = q->storage->engine->defer(q->storage, q->statement);
    }
    reset_statement(q);
}

enum storage_result sql_run_deferred(struct sql *q)
{
    sql_defer_and_reset(q);
    return q->result;
}

enum storage_result sql_run_insertion(struct sql *q, int64_t *id)
{
    const enum storage_result result = sql_run(q);

    if (result == STORAGE_OK) {
        *id = q->storage->last_id;
    }
    return result;
}

enum storage_result sql_run_change(struct sql *q)
{
    enum storage_result result = sql_run(q);

    if (result == STORAGE_OK && q->storage->changes == 0) {
        result = STORAGE_NOT_FOUND;
    }
    return result;
}

enum storage_result sql_run_and_count(struct sql *q, int64_t *changed)
{
    const enum storage_result result = sql_run(q);

    *changed = result == STORAGE_OK ? q->storage->changes : 0;
    return result;
}

enum storage_result sql_savepoint_begin(struct storage *storage)
{
    const enum storage_result begun = begin_transaction(storage);

    if (begun != STORAGE_OK) {
        return begun;
    }
    struct sql q = sql_read(storage, "SAVEPOINT together");
    return sql_run_deferred(&q);
}

enum storage_result sql_savepoint_end(struct storage *storage, enum storage_result result)
{
    if (storage->failed != STORAGE_OK) {
        return result; /* the rollback removed the savepoint too */
    }
    if (result != STORAGE_OK) {
        struct sql back = sql_read(storage, "ROLLBACK TO together");
        const enum storage_result undone = sql_run_deferred(&back);
        if (undone != STORAGE_OK) {
            return undone;
        }
    }
    struct sql release = sql_read(storage, "RELEASE together");
    const enum storage_result released = sql_run_deferred(&release);
    return result != STORAGE_OK ? result : released;
}

enum storage_result sql_run_script(struct storage *storage, const char *text)
{
    return storage->engine->run_script(storage, text);
}

struct sql sql_read_once(struct storage *storage, const char *query)
{
    struct sql q = {.storage = storage, .text = query};

    q.result = storage->engine->compile(storage, query, false, &q.statement);
    return q;
}

struct sql sql_write_once(struct storage *storage, const char *statement)
{
    struct sql q = {.storage = storage, .text = statement, .result = begin_transaction(storage)};

    if (q.result == STORAGE_OK) {
        q.result = storage->engine->compile(storage, statement, true, &q.statement);
    }
    return q;
}

enum storage_result sql_end_once(struct sql *q)
{
    if (q->statement != NULL) {
        q->storage->engine->forget(q->statement);
        q->statement = NULL;
    }
    return q->result;
}

enum storage_result sql_read_number(struct storage *storage, const char *text, int64_t *value)
{
    struct sql q = sql_read_once(storage, text);

    *value = sql_next_row(&q) ? sql_read_int(&q) : 0;
    return sql_end_once(&q);
}

void sql_finalize_all(struct storage *storage)
{
    for (size_t i = 0; i < SQL_SLOTS; i++) {
        if (storage->slots[i].text != NULL) {
            storage->engine->forget(storage->slots[i].statement);
        }
        storage->slots[i].statement = NULL;
        storage->slots[i].text = NULL;
    }
}

enum storage_result storage_fail(char why[STORAGE_WHY_SIZE], enum storage_result result,
                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, STORAGE_WHY_SIZE, format, args);
    va_end(args);
    return result;
}

struct sql statement_bind(struct sql q, const struct sql_value *arguments)
{
    for (; arguments->kind != SQL_KIND_END; arguments++) {
        sql_bind_value(&q, arguments);
    }
    return q;
}

enum storage_result statement_read_number(struct sql *q, int64_t *number)
{
    if (sql_first_row(q)) {
        *number = sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_count(struct sql *q, uint32_t *number)
{
    if (sql_first_row(q)) {
        *number = (uint32_t)sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_text(struct sql *q, char *text, size_t size)
{
    if (sql_first_row(q)) {
        sql_read_text(q, text, size);
    }
    return sql_end(q);
}

enum storage_result statement_read_numbers(struct sql *q, int64_t *first, int64_t *second)
{
    if (sql_first_row(q)) {
        *first = sql_read_int(q);
        *second = sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result statement_read_number_or(struct sql *q, int64_t fallback, int64_t *number)
{
    *number = fallback;
    const enum storage_result result = statement_read_number(q, number);

    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

enum storage_result statement_each_number(struct sql *q, bool (*row)(void *context, int64_t number),
                                          void *context)
{
    bool goes_on = true;

    while (goes_on && sql_next_row(q)) {
        goes_on = row(context, sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result statement_has_row(struct sql *q, bool *is_there)
{
    *is_there = sql_next_row(q);
    return sql_end(q);
}

static const char *const schemes[] = {"postgresql://", "postgres://"};

/* Returns what follows the scheme; NULL if the text is no URL of PostgreSQL. */
static const char *skip_scheme(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        if (strncmp(path, schemes[i], strlen(schemes[i])) == 0) {
            return path + strlen(schemes[i]);
        }
    }
    return NULL;
}

bool database_url_is(const char *path)
{
    return skip_scheme(path) != NULL;
}

const char *database_url_show(const char *path, char shown[DATABASE_URL_SHOWN_SIZE])
{
    const char *server = skip_scheme(path);

    if (server == NULL) {
        return path;
    }
    /* People forget to write an @ or a ? of their password as %40 or %3F. So the server is what
     * stands after the last @; an @ after a ? may belong to a password on either side of it. */
    const char *at = strrchr(server, '@');
    const char *parameters = strchr(server, '?');
    const bool is_unclear = at != NULL && parameters != NULL && at > parameters;
    server = at == NULL ? server : at + 1;
    (void)snprintf(shown, DATABASE_URL_SHOWN_SIZE, "%s%.*s", schemes[0],
                   is_unclear ? 0 : (int)strcspn(server, "?"), server);
    return shown;
}

#define NAME_SIZE 4096
#define BLOCK_BYTES 65536
#define LOG_HEAD_BYTES 32 /* size of the header of the write-ahead log */
/* size of a page's header in the write-ahead log: sqlite.org/fileformat2.html#walformat */
#define FRAME_HEAD_BYTES 24

/* The mark of a failed sync (sql.h) is a file. Its size minus one is the number of the
 * log's pages that are certainly on disk. Nothing is written into it, because the disk may have no
 * room. */
struct mark {
    sqlite3_vfs *disk;
    char name[NAME_SIZE];
    sqlite3_file *file; /* the open mark file; its pMethods is NULL while the file is closed */
};

/* Returns false for a database in memory, which has no mark file. */
static bool set_mark_file_path(struct storage *storage, struct mark *mark)
{
    const char *path = sqlite3_db_filename(storage->db, "main");

    *mark = (struct mark){0};
    if (path == NULL || path[0] == '\0' ||
        sqlite3_file_control(storage->db, "main", SQLITE_FCNTL_VFS_POINTER, &mark->disk) !=
            SQLITE_OK ||
        mark->disk == NULL) {
        return false;
    }
    const int len = snprintf(mark->name, sizeof mark->name, "%s-doubt", path);
    return len > 0 && (size_t)len < sizeof mark->name;
}

static int open_mark_file(struct mark *mark)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SUPER_JOURNAL;

    mark->file = calloc(1, (size_t)mark->disk->szOsFile);
    return mark->file == NULL ? SQLITE_NOMEM
                              : mark->disk->xOpen(mark->disk, mark->name, mark->file, flags, NULL);
}

static void close_mark_file(struct mark *mark)
{
    if (mark->file != NULL && mark->file->pMethods != NULL) {
        /* a failure does not matter: only the mark file's size counts */
        (void)mark->file->pMethods->xClose(mark->file);
    }
    free(mark->file);
    mark->file = NULL;
}

void failed_sync_write_mark(struct storage *storage)
{
    struct mark mark;

    if (set_mark_file_path(storage, &mark)) {
        if (open_mark_file(&mark) == SQLITE_OK) {
            (void)mark.file->pMethods->xTruncate(mark.file, storage->log_pages + 1);
        }
        close_mark_file(&mark);
    }
}

/* Reads the write-ahead log from offset `from` to its end, writes the same bytes again and syncs
 * them. */
static int rewrite_log_end(sqlite3_file *log, sqlite3_int64 from)
{
    char *block = malloc(BLOCK_BYTES);
    sqlite3_int64 size = 0;
    int code = block == NULL ? SQLITE_NOMEM : log->pMethods->xFileSize(log, &size);

    for (sqlite3_int64 at = from; code == SQLITE_OK && at < size; at += BLOCK_BYTES) {
        const int len = size - at < BLOCK_BYTES ? (int)(size - at) : BLOCK_BYTES;
        code = log->pMethods->xRead(log, block, len, at);
        if (code == SQLITE_OK) {
            code = log->pMethods->xWrite(log, block, len, at);
        }
    }
    free(block);
    return code == SQLITE_OK ? log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) : code;
}

static int rewrite_pages_after_failed_sync(struct storage *storage, struct mark *mark)
{
    sqlite3_file *log = NULL;
    sqlite3_int64 size = 0;
    int code = open_mark_file(mark);

    if (code == SQLITE_OK) {
        code = mark->file->pMethods->xFileSize(mark->file, &size);
    }
    close_mark_file(mark);
    if (code == SQLITE_OK) {
        code = sqlite3_file_control(storage->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    }
    if (code == SQLITE_OK && log != NULL && log->pMethods != NULL) {
        const sqlite3_int64 frame = FRAME_HEAD_BYTES + STORAGE_PAGE_BYTES;
        code = rewrite_log_end(log, size > 1 ? LOG_HEAD_BYTES + (size - 1) * frame : 0);
    }
    return code == SQLITE_OK ? mark->disk->xDelete(mark->disk, mark->name, 0) : code;
}

int failed_sync_repair(struct storage *storage)
{
    struct mark mark;
    int is_there = 0;

    if (!set_mark_file_path(storage, &mark)) {
        return SQLITE_OK;
    }
    int code = mark.disk->xAccess(mark.disk, mark.name, SQLITE_ACCESS_EXISTS, &is_there);
    if (code == SQLITE_OK && is_there != 0) {
        code = rewrite_pages_after_failed_sync(storage, &mark);
    }
    return code;
}
