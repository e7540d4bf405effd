#include "storage/sql/sql.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_SIZE 4096
#define BLOCK_BYTES 65536
#define LOG_HEAD_BYTES 32 /* size of the header of the write-ahead log */
/* size of a page's header in the write-ahead log: sqlite.org/fileformat2.html#walformat */
#define FRAME_HEAD_BYTES 24

/* The mark of a failed sync (failed_sync.h) is a file. Its size minus one is the number of the
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
