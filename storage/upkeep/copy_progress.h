#pragma once

#include "storage/storage.h"

/* What a copy of a house from one database to another reports. */

enum storage_copy_stage {
    STORAGE_COPY_SENDING,
    STORAGE_COPY_COMPARING,
    STORAGE_COPY_EQUAL, /* the table is copied and compared; `rows` is its number of rows */
};

/* How far the copy is: the table that it is at, and the rows so far. */
struct storage_copy_progress {
    enum storage_copy_stage stage;
    const char *table; /* borrowed for the call */
    int64_t rows;
};

/* Is called every few thousand rows, and once for each table that is copied and compared.
 * May be NULL. */
typedef void storage_copy_report(void *context, const struct storage_copy_progress *progress);
