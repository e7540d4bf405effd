#pragma once

#include <libpq-fe.h>

/* Copies all rows of a house's tables from PostgreSQL into a new SQLite file at that path, which
 * has the house's schema: what checks stored data needs to know only SQLite. A table that only one
 * of the two databases has is left out. A failure ends the process with a line on standard
 * error. */
void postgres_copy_to_sqlite(PGconn *from, const char *path);
