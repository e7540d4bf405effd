#pragma once

#include "storage/upkeep/copy_progress.h"

/*
 * Moves a house from SQLite to PostgreSQL: copies every row of every table into an empty database,
 * in one transaction, and compares all of them before it commits. So the database holds a complete
 * house, or no row of one. Tables and columns come from the two schemas; a new table is copied
 * without a change here.
 */

/*
 * Copies all data of `from`, which is SQLite's, has the current schema and has no transaction open,
 * to the database at `url`: an empty one, or one whose tables have no rows. Makes its tables if it
 * has none. `from` is not changed. Returns STORAGE_OK, or a failure, of which `why` tells the table
 * and row if there is one to blame; the database then has no new rows. STORAGE_REFUSED: the
 * database is not empty or refuses a row; _CORRUPT: what it stored is not what was copied; _FULL,
 * _IO, _NEWER and _FOREIGN as storage_open. `why` never shows the URL.
 */
enum storage_result storage_copy_to_postgres(struct storage *from, const char *url,
                                             storage_copy_report *report, void *context,
                                             char why[STORAGE_WHY_SIZE]) MUST_CHECK;
