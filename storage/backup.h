#ifndef STORAGE_BACKUP_H
#define STORAGE_BACKUP_H

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

/* What is said of a file of data. */
struct storage_summary {
    int64_t accounts; /* people's */
    int64_t games;    /* finished */
    int64_t last_ms;  /* when the last of them was; 0: none */
};

/*
 * Looks through a file that nobody has open, without changing it: that it is ours, of a form this
 * program knows, undamaged (every page and index) and that all references lead somewhere.
 * STORAGE_OK, _NOT_FOUND, _LOCKED (there is a log beside it), _IO, _CORRUPT, _NEWER, _FOREIGN.
 */
enum storage_result storage_check(const char *path, struct storage_summary *summary,
                                  char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens such a file for reading alone, of the present form (else STORAGE_NEWER, or STORAGE_REFUSED
 * for an older one); every write is refused. Closed by storage_close. */
enum storage_result storage_open_copy(const char *path, struct storage **storage,
                                      char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same for a copy of it that may be changed, and is gone once it is closed: a file without a
 * name in the system's place for such, of the present form whatever form the file has. */
enum storage_result storage_open_scratch(const char *path, struct storage **storage,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
