#pragma once

#include "storage/storage.h"

/* Checking and reading data files that no process has open: backups, and the house's own file while
 * the house is closed. */

/* The contents of a data file. */
struct storage_summary {
    int64_t accounts; /* of people */
    int64_t games;    /* finished ones */
    int64_t last_ms;  /* end of the last finished game; 0: none */
};

/*
 * Checks a file that nobody has open, without changing it: it is ours, its schema version is known
 * to this program, every page and index is undamaged, and every reference has its row. STORAGE_OK,
 * _NOT_FOUND, _LOCKED (there is a log beside it), _IO, _CORRUPT, _NEWER, _FOREIGN.
 */
enum storage_result storage_check_file(const char *path, struct storage_summary *summary,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens such a file read-only; every write is refused. Fails if the schema version is not
 * the current one: STORAGE_NEWER for a newer version, STORAGE_REFUSED for an older one.
 * storage_close closes it. */
enum storage_result storage_open_read_only(const char *path, struct storage **storage,
                                           char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens a writable temporary copy of such a file, migrated to the current schema version. The copy
 * is an unnamed file in the system's temporary directory and is deleted when it is closed. */
enum storage_result storage_open_temporary_copy(const char *path, struct storage **storage,
                                                char why[STORAGE_WHY_SIZE]) MUST_CHECK;
