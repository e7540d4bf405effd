#pragma once

#include "storage/storage.h"

/* Checking and reading data files that no process has open: backups, and the house's own file while
 * the house is closed. */

/* What a data file contains. */
struct storage_summary {
    int64_t accounts; /* number of accounts of people */
    int64_t games;    /* number of finished games */
    int64_t last_ms;  /* when the last finished game ended; 0: none */
};

/*
 * Checks a file that nobody has open, without changing it: it is the data of a house, this program
 * knows its schema version, every page and index is undamaged, and every reference leads to a row.
 * Returns STORAGE_OK, _NOT_FOUND, _LOCKED (a log lies beside the file), _IO, _CORRUPT, _OLDER,
 * _NEWER, _FOREIGN, _REFUSED (the path is the URL of a PostgreSQL database; so too for the
 * functions below).
 */
enum storage_result storage_check_file(const char *path, struct storage_summary *summary,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens for reading a file that no process has open; every write is refused. Fails if the schema
 * version is not the current one: STORAGE_NEWER for a newer version, STORAGE_REFUSED for an older
 * one. Close it with storage_close. */
enum storage_result storage_open_read_only(const char *path, struct storage **storage,
                                           char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes and opens a writable temporary copy of a file that no process has open, migrated to the
 * current schema version. The copy is an unnamed file in the system's temporary directory and is
 * deleted when closed. */
enum storage_result storage_open_temporary_copy(const char *path, struct storage **storage,
                                                char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Hears what is wrong, one sentence each, which is borrowed for the call. */
struct storage_findings {
    void (*hear)(void *context, const char *words);
    void *context;
};
