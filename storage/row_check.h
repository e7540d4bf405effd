#pragma once

#include "storage/copies.h"

/* Reads every row of the database with its list of columns (columns.h), and reports the tables with
 * a row that does not read back as it is stored: a text or bytes of a wrong size, a number that its
 * member cannot hold, a choice that this program does not know. STORAGE_OK, with findings or
 * without, _IO, _CORRUPT: `why` tells what failed. */
enum storage_result row_check(struct storage *storage, const struct storage_findings *findings,
                              char why[STORAGE_WHY_SIZE]) MUST_CHECK;
