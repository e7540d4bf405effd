#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"

#include <stddef.h>
#include <stdint.h>

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
 * and the path are borrowed until storage_backup_end. On an error *backup is NULL. STORAGE_OK,
 * _FULL, _IO, or _REFUSED: the data are in a PostgreSQL database, which has programs of its own for
 * that. */
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

/* Inside storage/ only: reads a database file that nobody has open, without changing it. */

/* Checks every page and index of a file, whatever data it holds. Returns STORAGE_OK, _NOT_FOUND,
 * _LOCKED (a log lies beside the file), _IO, _CORRUPT. */
enum storage_result file_check(const char *path, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens the file for reading. Call file_check_close in any case. After a failure *storage is NULL
 * when memory ran out; otherwise it is not NULL and its `why` holds the reason. */
enum storage_result file_check_open(const char *path, struct storage **storage) MUST_CHECK;

/* Checks every page and index of the open file: STORAGE_OK, _IO, _CORRUPT. */
enum storage_result file_check_pages(struct storage *storage) MUST_CHECK;

/* Closes the file; takes NULL. Returns `result`. If `result` is a failure, copies its reason into
 * `why`. */
enum storage_result file_check_close(struct storage *storage, enum storage_result result,
                                     char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/*
 * Inside storage/ only: changes the schema of the database step by step. The steps are the files
 * migrations/NNN-what.sql in their order; user_version in the file counts the steps that the file
 * has had. A published step never changes.
 */
struct migration {
    const char *name; /* the step's name, such as "001-house" */
    const char *text;
};

/* The application id in the file's header. Trickhouse 0.2.0 and older versions wrote another one,
 * and numbered the versions of their schema from 1 too. */
#define MIGRATE_APPLICATION_ID 0x54726B48     /* "TrkH" */
#define MIGRATE_OLD_APPLICATION_ID 0x5472486F /* "TrHo" */

/* Returns the migration steps of this program and sets *count to their number. */
const struct migration *migrate_list_steps(size_t *count);

/* Refuses data of Trickhouse 0.2.0 or older, whose schema version is `version`: writes the reason
 * into `why` and returns STORAGE_OLDER. */
enum storage_result migrate_refuse_old_data(int64_t version, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Refuses data whose schema version is above `newest`, in the same way: STORAGE_OK or _NEWER. */
enum storage_result migrate_refuse_newer_data(int64_t version, size_t newest,
                                              char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Runs the migration steps that the file has not had, each in its own transaction. First makes a
 * backup of a file that is not empty. Call it outside a transaction. Returns STORAGE_OLDER, _NEWER,
 * _FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_run_steps(struct storage *storage, const struct migration *list,
                                      size_t count) MUST_CHECK;

/* The row of the table `meta` that counts the steps that the database has had: the schema version.
 * SQLite stores that number elsewhere. Trickhouse 0.2.0 and older versions had a row of another
 * name. */
#define MIGRATE_VERSION_ROW "schema_version"
#define MIGRATE_OLD_VERSION_ROW "schema"

/* Inside storage/ only: returns the migration steps of this program for PostgreSQL and sets *count
 * to their number: those for SQLite, translated by the build (migrations/embed.cmake), and with
 * them the files of the same names in migrations/postgres/. */
const struct migration *migrate_postgres_list_steps(size_t *count);

/* Inside storage/ only: sets *version to the schema version of the tables that a PostgreSQL
 * database has; 0: they are not those of a house. Refuses the tables of Trickhouse 0.2.0 or older:
 * STORAGE_OLDER. */
enum storage_result migrate_postgres_read_version(struct storage *storage,
                                                  int64_t *version) MUST_CHECK;

/* Inside storage/ only: runs the migration steps that a PostgreSQL database has not had, each in
 * its own transaction; a new database has had none. Refuses a database that would sort texts in
 * another order than that of their bytes. Returns STORAGE_OLDER, _NEWER, _FOREIGN or the result of
 * a write; storage->why describes a failure. */
enum storage_result migrate_postgres_run_steps(struct storage *storage,
                                               const struct migration *list,
                                               size_t count) MUST_CHECK;

/*
 * Deletes what people said and where they came from once it is old. A run goes through everything
 * in small steps, so that each commit stays short. Stopping a run is harmless: the next run begins
 * again and finds what is left.
 *
 * These stay, however old they are: lines that are evidence of an open report, or of a report that
 * was closed less than the age of chat lines ago; sanctions in force and open reports; the audit
 * log, in which addresses and keys can be sealed (storage/mod/mod.h).
 */

/* What is deleted by its age. */
enum storage_retention_kind {
    STORAGE_RETENTION_CHAT = 0, /* lines said in the lobby, in channels and at tables */
    STORAGE_RETENTION_MESSAGES, /* direct messages, whether they were read or not */
    /* addresses of sign-ins, of sanctions that have ended, and of guests whom staff wrote about */
    STORAGE_RETENTION_ADDRESSES,
    /* closed reports and appeals, sanctions that have ended, notes of staff */
    STORAGE_RETENTION_CASES,
    STORAGE_RETENTION_KINDS,
};

/* A run. The caller zeroes it and sets before_ms before the first step. */
struct storage_retention_run {
    int64_t before_ms[STORAGE_RETENTION_KINDS]; /* delete what is older, in Unix ms; 0: nothing */
    int64_t deleted[STORAGE_RETENTION_KINDS];   /* rows deleted, or emptied, so far */
    size_t step;                                /* the step to continue with */
    int64_t seen_ms, seen_number;               /* age and number of the last line looked at */
};

/* Continues the run: looks at up to `max_rows` (1 or more) old rows and deletes those that need not
 * stay. Sets *is_done to whether the run is finished. */
enum storage_result storage_retention_continue(struct storage *storage,
                                               struct storage_retention_run *run, size_t max_rows,
                                               bool *is_done) MUST_CHECK;
