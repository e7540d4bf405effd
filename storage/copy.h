#ifndef STORAGE_COPY_H
#define STORAGE_COPY_H

#include "storage/sql.h"

/* Inside storage/ only: writes a whole copy of the open database to `path`, which appears there
 * checked and durable or not at all; one that was there is replaced. */
enum storage_result copy_database(struct storage *storage, const char *path) MUST_CHECK;

#endif
