#pragma once

#include <stdint.h>

/*
 * The file `timeline` in the data folder: the highest timeline of a PostgreSQL server and the most
 * steps that the cores of this node know (cluster_options.timeline, .steps). A new core begins
 * after each failover of the database, so the numbers must outlive it.
 */
struct core_timeline {
    int64_t timeline, steps; /* 0: none */
};

/* Returns the path of the file in the folder of the database file. Release it with free(). */
char *core_timeline_make_path(const char *database);

/* Returns the numbers; 0 for those that are not in the file. */
struct core_timeline core_timeline_read(const char *path);

/* Writes the numbers; logs a failure, after which a later core may trust a former primary, whose
 * commits then do not become durable, or a database that was restored from an older copy. */
void core_timeline_write(const char *path, struct core_timeline timeline);
