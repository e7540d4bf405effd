#ifndef STORAGE_UPKEEP_BACKUP_H
#define STORAGE_UPKEEP_BACKUP_H

#include "storage/storage.h"

/*
 * Copies of the data while they are in use. A backup is written to one path in steps between
 * commits, so that nobody waits for it; what is committed meanwhile is in it. Once it has been
 * looked through (storage_check, best in a process of its own) it is kept under its name:
 *
 *     begin ──► step … step (is_done) ──► end ──► storage_check ──► storage_backup_keep
 *
 * A backup's failure is its own: the data it is made of are none the worse.
 */
struct storage_backup;

/* Begins a copy at `path`, which only its owner may read; one that was there is replaced. The
 * storage is borrowed until the end. On an error *backup is NULL. STORAGE_OK, _FULL, _IO. */
enum storage_result storage_backup_begin(struct storage *storage, const char *path,
                                         struct storage_backup **backup,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Copies so many pages of 4 KiB more, or all that is left when `pages` is negative; outside a
 * transaction. *is_done when nothing is left. After a failure there is only the end. */
enum storage_result storage_backup_step(struct storage_backup *backup, int pages, bool *is_done,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes the copy durable when every step succeeded and the last was done, else removes it; frees
 * the backup. A step's failure is its result too, with the words as the step left them. Takes NULL.
 */
enum storage_result storage_backup_end(struct storage_backup *backup,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* All of that at once, for when nobody waits: `path` appears checked and durable, or not at all. */
enum storage_result storage_backup_whole(struct storage *storage, const char *path,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Gives a finished copy its name, durably; a file of that name is replaced. */
enum storage_result storage_backup_keep(const char *copy, const char *path,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
