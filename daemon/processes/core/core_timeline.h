#pragma once

#include <stdint.h>

/*
 * The file `timeline` in the data folder: the highest timeline of a PostgreSQL server that the
 * cores of this node have seen (cluster_options.timeline). A new core begins after each failover of
 * the database, so the number must outlive it.
 */

/* Returns the path of the file in the folder of the database file. Release it with free(). */
char *core_timeline_make_path(const char *database);

/* Returns the number; 0 if there is no file. */
int64_t core_timeline_read(const char *path);

/* Writes the number; logs a failure, after which a later core may trust a former primary, whose
 * commits then do not become durable. */
void core_timeline_write(const char *path, int64_t timeline);
