#pragma once

#include "storage/upkeep/copy_progress.h"

/*
 * Copies a house from PostgreSQL into a new file, the way back from copy_to_postgres.h. Reads one
 * state of the database, even if a house is open on it meanwhile, and changes nothing there.
 * Compares every row of every table before it keeps the file.
 *
 * The file appears complete, checked and closed, or not at all. Returns STORAGE_OK; STORAGE_TAKEN
 * if there is a file at `path`; _REFUSED if the database's schema is not the one of this program;
 * _CORRUPT, _FULL, _IO, _OLDER, _FOREIGN. `why` tells the table, but never the URL.
 */
enum storage_result storage_copy_from_postgres(const char *url, const char *path,
                                               storage_copy_report *report, void *context,
                                               char why[STORAGE_WHY_SIZE]) MUST_CHECK;
