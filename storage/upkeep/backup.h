#pragma once

#include "storage/storage.h"

/*
 * Backups of the data while the house is open. A backup is written to one path in steps between
 * commits, so that nobody waits for it; it contains what is committed meanwhile. After a check
 * (storage_check_file, best in a separate process) it gets its final name:
 *
 *     begin ──► step … step (is_done) ──► end ──► storage_check_file ──► storage_backup_rename
 *
 * The failure of a backup does not affect the data it copies.
 */
struct storage_backup;

/* Begins a copy at `path`, which only its owner may read; an existing file is replaced. The storage
 * is borrowed until storage_backup_end. On an error *backup is NULL. STORAGE_OK, _FULL, _IO, or
 * _REFUSED: the data are in a PostgreSQL database, which has programs of its own for that. */
enum storage_result storage_backup_begin(struct storage *storage, const char *path,
                                         struct storage_backup **backup,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Copies the next `pages` pages of 4 KiB, or all remaining pages when `pages` is negative. Call it
 * outside a transaction. *is_done tells whether the copy is complete. After a failure only
 * storage_backup_end may follow. */
enum storage_result storage_backup_step(struct storage_backup *backup, int pages, bool *is_done,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes the copy durable if every step succeeded and the last step completed it; otherwise removes
 * it. Frees the backup. After a failed step it returns the failure of that step and leaves the text
 * in `why` unchanged. Takes NULL. */
enum storage_result storage_backup_end(struct storage_backup *backup,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes, checks and renames a backup in one call that blocks until all is done. The file `path`
 * appears complete and durable, or not at all. STORAGE_REFUSED as for storage_backup_begin. */
enum storage_result storage_backup_make(struct storage *storage, const char *path,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Renames a finished copy durably; replaces an existing file of that name. */
enum storage_result storage_backup_rename(const char *copy, const char *path,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Merges the write-ahead log that lies beside a file (PATH-wal) into it and removes the log: the
 * file then also has what was committed last before its house died. Nobody may have the file open.
 * After a failure the log stays. STORAGE_OK, _FULL, _IO, _CORRUPT if nothing in the log can be
 * read. */
enum storage_result storage_backup_merge_log(const char *copy,
                                             char why[STORAGE_WHY_SIZE]) MUST_CHECK;
