#include "storage/upkeep/upkeep.h"

#include "storage/sql/sql.h"

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
        (void)snprintf(storage->why, sizeof storage->why,
                       "the data are in a PostgreSQL database, not in a file");
        return STORAGE_REFUSED;
    }
    if (access(path, F_OK) != 0) {
        (void)snprintf(storage->why, sizeof storage->why, "there is no %.200s", path);
        return STORAGE_NOT_FOUND;
    }
    if (has_write_ahead_log(path)) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the file is in use or was not closed properly: start and stop its house,"
                       " or restore the file");
        return STORAGE_LOCKED;
    }
    if (!write_uri(path, uri)) {
        (void)snprintf(storage->why, sizeof storage->why, "the path is too long");
        return STORAGE_IO;
    }
    const int code =
        sqlite3_open_v2(uri, &storage->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    if (storage->db == NULL) {
        (void)snprintf(storage->why, sizeof storage->why, "out of memory");
        return STORAGE_IO;
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
        (void)snprintf(storage->why, sizeof storage->why, "it is damaged: %s", verdict);
        return STORAGE_CORRUPT;
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
