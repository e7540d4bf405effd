#include "storage/upkeep/upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define URI_SIZE 8192

/* Writes a file's name as a URI; characters with a meaning in URIs become %XX. */
static bool write_uri(const char *path, char uri[URI_SIZE])
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-";
    size_t len = (size_t)snprintf(uri, URI_SIZE, "file:");

    for (const char *at = path; *at != '\0' && len + sizeof "%XX?immutable=1" < URI_SIZE; at++) {
        const bool is_plain = strchr(plain, *at) != NULL;
        len += (size_t)snprintf(uri + len, URI_SIZE - len, is_plain ? "%c" : "%%%02X",
                                is_plain ? *at : (unsigned char)*at);
    }
    (void)snprintf(uri + len, URI_SIZE - len, "?immutable=1");
    return len + sizeof "%XX?immutable=1" < URI_SIZE;
}

/* Tells whether the file has a log, which may hold the only copy of the last commits. */
static bool has_write_ahead_log(const char *path)
{
    char log[URI_SIZE];
    struct stat status;
    char *real = realpath(path, NULL); /* the log does not lie beside a link */

    (void)snprintf(log, sizeof log, "%s-wal", real == NULL ? path : real);
    free(real);
    return stat(log, &status) == 0 && status.st_size > 0;
}

/* Opens the file as immutable: without locks and without a log, so no file appears beside it. */
static enum storage_result open_file(struct storage *storage, const char *path)
{
    char uri[URI_SIZE];

    if (database_url_is(path)) { /* which may contain a password */
        return storage_fail(storage->why, STORAGE_REFUSED,
                            "the data are in a PostgreSQL database, not in a file");
    }
    if (access(path, F_OK) != 0) {
        return storage_fail(storage->why, STORAGE_NOT_FOUND, "there is no %.200s", path);
    }
    if (has_write_ahead_log(path)) {
        return storage_fail(
            storage->why, STORAGE_LOCKED,
            "the file is in use or was not closed properly: start and stop its house,"
            " or restore the file");
    }
    if (!write_uri(path, uri)) {
        return storage_fail(storage->why, STORAGE_IO, "the path is too long");
    }
    const int code =
        sqlite3_open_v2(uri, &storage->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    if (storage->db == NULL) {
        return storage_fail(storage->why, STORAGE_IO, "out of memory");
    }
    (void)sqlite3_extended_result_codes(storage->db, 1);
    if (code != SQLITE_OK) {
        return sql_sqlite_handle_failure(storage, code);
    }
    return sql_run_script(storage, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                                   "PRAGMA mmap_size = 0; PRAGMA cache_size = -32768");
}

enum storage_result file_check_open(const char *path, struct storage **storage)
{
    *storage = calloc(1, sizeof **storage);
    if (*storage == NULL) {
        return STORAGE_IO;
    }
    (*storage)->engine = &sql_sqlite;
    return open_file(*storage, path);
}

enum storage_result file_check_close(struct storage *storage, enum storage_result result,
                                     char why[STORAGE_WHY_SIZE])
{
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s",
                       storage == NULL ? "out of memory" : storage->why);
    }
    if (storage != NULL) {
        sql_finalize_all(storage);
        (void)sqlite3_close(storage->db);
        free(storage);
    }
    return result;
}

enum storage_result file_check_pages(struct storage *storage)
{
    char verdict[STORAGE_WHY_SIZE / 2] = "";
    struct sql q = sql_read(storage, "SELECT substr(integrity_check, 1, 100)"
                                     " FROM pragma_integrity_check");

    if (sql_first_row(&q)) {
        sql_read_text(&q, verdict, sizeof verdict);
    }
    const enum storage_result result = sql_end(&q);
    if (result == STORAGE_OK && strcmp(verdict, "ok") != 0) {
        return storage_fail(storage->why, STORAGE_CORRUPT, "it is damaged: %s", verdict);
    }
    return result;
}

enum storage_result file_check(const char *path, char why[STORAGE_WHY_SIZE])
{
    struct storage *storage;
    enum storage_result result = file_check_open(path, &storage);

    if (result == STORAGE_OK) {
        result = file_check_pages(storage);
    }
    return file_check_close(storage, result, why);
}

#define PATH_SIZE 4096

struct storage_backup {
    sqlite3 *copy;
    sqlite3_backup *pages;
    const char *path;
    bool is_done;
    enum storage_result failed; /* the result of the first failed step */
};

static enum storage_result describe_failed_call(const char *call, char why[STORAGE_WHY_SIZE])
{
    const int reason = errno;

    (void)snprintf(why, STORAGE_WHY_SIZE, "the backup failed: %s: %s", call, strerror(reason));
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG ? STORAGE_FULL : STORAGE_IO;
}

static enum storage_result describe_sqlite_error(sqlite3 *db, int code, char why[STORAGE_WHY_SIZE])
{
    (void)snprintf(why, STORAGE_WHY_SIZE, "the backup failed: %s",
                   db == NULL ? "out of memory" : sqlite3_errmsg(db));
    return (code & 0xFF) == SQLITE_FULL ? STORAGE_FULL : STORAGE_IO;
}

/* Creates a file that only its owner may read: it holds password hashes and the seeds of games in
 * play. */
static enum storage_result create_private_file(const char *path, char why[STORAGE_WHY_SIZE])
{
    if (unlink(path) != 0 && errno != ENOENT) {
        return describe_failed_call("unlink", why);
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return describe_failed_call("open", why);
    }
    return close(fd) == 0 ? STORAGE_OK : describe_failed_call("close", why);
}

static enum storage_result sync_file_or_folder(const char *path, int flags,
                                               char why[STORAGE_WHY_SIZE])
{
    const int fd = open(path, flags | O_CLOEXEC);
    enum storage_result result = STORAGE_OK;

    if (fd < 0) {
        return describe_failed_call("open", why);
    }
    if (fsync(fd) != 0) {
        result = describe_failed_call("fsync", why);
    }
    (void)close(fd); /* nothing was written, so a failure does not matter */
    return result;
}

enum storage_result storage_backup_begin(struct storage *storage, const char *path,
                                         struct storage_backup **backup, char why[STORAGE_WHY_SIZE])
{
    *backup = NULL;
    if (storage->db == NULL) {
        return storage_fail(why, STORAGE_REFUSED,
                            "a PostgreSQL database is backed up with PostgreSQL's own programs");
    }
    struct storage_backup *begun = calloc(1, sizeof *begun);
    if (begun == NULL) {
        return describe_sqlite_error(NULL, SQLITE_NOMEM, why);
    }
    begun->path = path;
    enum storage_result result = create_private_file(path, why);
    if (result != STORAGE_OK) {
        free(begun);
        return result;
    }
    const int code = sqlite3_open_v2(path, &begun->copy, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        begun->pages = sqlite3_backup_init(begun->copy, "main", storage->db, "main");
    }
    if (begun->pages == NULL) {
        result = describe_sqlite_error(begun->copy, code, why);
        (void)sqlite3_close(begun->copy);
        (void)unlink(path);
        free(begun);
        return result;
    }
    *backup = begun;
    return STORAGE_OK;
}

enum storage_result storage_backup_step(struct storage_backup *backup, int pages, bool *is_done,
                                        char why[STORAGE_WHY_SIZE])
{
    const int code = sqlite3_backup_step(backup->pages, pages < 0 ? -1 : pages);

    backup->is_done = code == SQLITE_DONE;
    *is_done = backup->is_done;
    if (code == SQLITE_OK || code == SQLITE_DONE) {
        return STORAGE_OK;
    }
    (void)snprintf(why, STORAGE_WHY_SIZE, "the backup failed: %s", sqlite3_errstr(code));
    backup->failed = (code & 0xFF) == SQLITE_FULL ? STORAGE_FULL : STORAGE_IO;
    return backup->failed;
}

enum storage_result storage_backup_end(struct storage_backup *backup, char why[STORAGE_WHY_SIZE])
{
    if (backup == NULL) {
        return STORAGE_OK;
    }
    /* this call repeats the failure of a step */
    const int code = sqlite3_backup_finish(backup->pages);
    enum storage_result result = backup->failed;
    if (result == STORAGE_OK && code != SQLITE_OK) {
        result = describe_sqlite_error(backup->copy, code, why);
    }
    (void)sqlite3_close(backup->copy);
    if (result == STORAGE_OK && backup->is_done) {
        result = sync_file_or_folder(backup->path, O_RDWR, why);
    }
    if (result != STORAGE_OK || !backup->is_done) {
        (void)unlink(backup->path); /* the copy may be incomplete */
    }
    free(backup);
    return result;
}

enum storage_result storage_backup_rename(const char *copy, const char *path,
                                          char why[STORAGE_WHY_SIZE])
{
    char folder[PATH_SIZE];
    const int len = snprintf(folder, sizeof folder, "%s", path);

    if (len < 0 || (size_t)len >= sizeof folder) {
        errno = ENAMETOOLONG;
        return describe_failed_call("name", why);
    }
    if (rename(copy, path) != 0) {
        return describe_failed_call("rename", why);
    }
    /* dirname modifies its argument. */
    return sync_file_or_folder(dirname(folder), O_RDONLY | O_DIRECTORY, why);
}

static enum storage_result copy_all_pages(struct storage *storage, const char *path,
                                          char why[STORAGE_WHY_SIZE])
{
    struct storage_backup *backup = NULL;
    bool is_done = false;
    enum storage_result result = storage_backup_begin(storage, path, &backup, why);

    if (backup == NULL) {
        return result;
    }
    result = storage_backup_step(backup, -1, &is_done, why);
    /* this call repeats the failure of a step */
    const enum storage_result ended = storage_backup_end(backup, why);
    return result == STORAGE_OK ? ended : result;
}

enum storage_result storage_backup_make(struct storage *storage, const char *path,
                                        char why[STORAGE_WHY_SIZE])
{
    char partial[PATH_SIZE];
    const int len = snprintf(partial, sizeof partial, "%s.partial", path);

    if (len < 0 || (size_t)len >= sizeof partial) {
        errno = ENAMETOOLONG;
        return describe_failed_call("name", why);
    }
    enum storage_result result = copy_all_pages(storage, partial, why);
    if (result == STORAGE_OK) {
        result = file_check(partial, why);
    }
    if (result == STORAGE_OK) {
        result = storage_backup_rename(partial, path, why);
    }
    if (result != STORAGE_OK) {
        (void)unlink(partial); /* `result` already holds the failure to report */
    }
    return result;
}

enum storage_result storage_backup_merge_log(const char *copy, char why[STORAGE_WHY_SIZE])
{
    enum storage_result result = STORAGE_OK;
    sqlite3 *db = NULL;
    int frames = 0;
    int code = sqlite3_open_v2(copy, &db, SQLITE_OPEN_READWRITE, NULL);

    if (code == SQLITE_OK) { /* reading anything from the file loads its log */
        code = sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA schema_version", NULL,
                            NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_FULL, &frames, NULL);
    }
    if (code != SQLITE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "the log cannot be merged into the file: %s",
                       sqlite3_errmsg(db));
        result = (code & 0xFF) == SQLITE_FULL ? STORAGE_FULL : STORAGE_IO;
    } else if (frames <= 0) { /* SQLite ignores such a log */
        (void)snprintf(why, STORAGE_WHY_SIZE,
                       "nothing in this log can be read: to do without it, move it away");
        result = STORAGE_CORRUPT;
    }
    if (result != STORAGE_OK) {
        (void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
    (void)sqlite3_close(db); /* removes the log, unless something went wrong */
    return result;
}
