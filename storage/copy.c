#include "storage/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

static enum storage_result out_of_errno(struct storage *storage, const char *what)
{
    const int reason = errno;

    (void)snprintf(storage->why, sizeof storage->why, "the backup failed: %s: %s", what,
                   strerror(reason));
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG ? STORAGE_FULL : STORAGE_IO;
}

/* Only its owner reads a copy: it holds password hashes and the seeds of games that are on. */
static enum storage_result make_private(struct storage *storage, const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0) {
        return out_of_errno(storage, "open");
    }
    return close(fd) == 0 ? STORAGE_OK : out_of_errno(storage, "close");
}

static enum storage_result sync_path(struct storage *storage, const char *path, int flags)
{
    const int fd = open(path, flags | O_CLOEXEC);
    enum storage_result result = STORAGE_OK;

    if (fd < 0) {
        return out_of_errno(storage, "open");
    }
    if (fsync(fd) != 0) {
        result = out_of_errno(storage, "fsync");
    }
    (void)close(fd); /* nothing was written through it */
    return result;
}

static enum storage_result sync_folder_of(struct storage *storage, const char *path)
{
    char folder[PATH_SIZE];

    /* dirname writes into what it is given. */
    (void)snprintf(folder, sizeof folder, "%s", path);
    return sync_path(storage, dirname(folder), O_RDONLY | O_DIRECTORY);
}

static int copy_pages(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");

    if (backup == NULL) {
        return sqlite3_errcode(to);
    }
    (void)sqlite3_backup_step(backup, -1); /* finish repeats its failure */
    return sqlite3_backup_finish(backup);
}

static int check_pages(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &statement, NULL);

    if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const unsigned char *verdict = sqlite3_column_text(statement, 0);
        if (verdict == NULL || strcmp((const char *)verdict, "ok") != 0) {
            code = SQLITE_CORRUPT;
        }
    }
    const int finalized = sqlite3_finalize(statement);
    return code == SQLITE_OK ? finalized : code;
}

static enum storage_result fill(struct storage *storage, const char *path)
{
    sqlite3 *copy = NULL;
    enum storage_result result = STORAGE_OK;
    int code = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE, NULL);

    if (code == SQLITE_OK) {
        code = copy_pages(storage->db, copy);
    }
    if (code == SQLITE_OK) {
        code = check_pages(copy);
    }
    if (code != SQLITE_OK) {
        (void)snprintf(storage->why, sizeof storage->why, "the backup failed: %s",
                       sqlite3_errmsg(copy));
        result = (code & 0xFF) == SQLITE_FULL ? STORAGE_FULL : STORAGE_IO;
    }
    (void)sqlite3_close(copy);
    return result;
}

enum storage_result copy_database(struct storage *storage, const char *path)
{
    char partial[PATH_SIZE];
    const int len = snprintf(partial, sizeof partial, "%s.partial", path);

    if (len < 0 || (size_t)len >= sizeof partial) {
        errno = ENAMETOOLONG;
        return out_of_errno(storage, "name");
    }
    if (unlink(partial) != 0 && errno != ENOENT) {
        return out_of_errno(storage, "unlink");
    }
    enum storage_result result = make_private(storage, partial);
    if (result == STORAGE_OK) {
        result = fill(storage, partial);
    }
    if (result == STORAGE_OK) {
        result = sync_path(storage, partial, O_RDWR);
    }
    if (result == STORAGE_OK && rename(partial, path) != 0) {
        result = out_of_errno(storage, "rename");
    }
    if (result != STORAGE_OK) {
        (void)unlink(partial); /* as far as it came; the failure is told already */
        return result;
    }
    return sync_folder_of(storage, path);
}
