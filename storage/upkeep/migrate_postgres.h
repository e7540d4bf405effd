#pragma once

#include "storage/upkeep/migrate.h"

/* The row of the table `meta` that counts the steps that the database has had: the schema version.
 * SQLite stores that number elsewhere. Trickhouse 0.2.0 and older versions had a row of another
 * name. */
#define MIGRATE_VERSION_ROW "schema_version"
#define MIGRATE_OLD_VERSION_ROW "schema"

/* Inside storage/ only: returns the migration steps of this program for PostgreSQL and sets *count
 * to their number. They are the files migrations/postgres/NNN-what.sql, in their order. */
const struct migration *migrate_postgres_list_steps(size_t *count);

/* Inside storage/ only: runs the migration steps that a PostgreSQL database has not had, each in
 * its own transaction; a new database has had none. Refuses a database that would sort texts in
 * another order than that of their bytes. Returns STORAGE_OLDER, _NEWER, _FOREIGN or the result of
 * a write; storage->why describes a failure. */
enum storage_result migrate_postgres_run_steps(struct storage *storage,
                                               const struct migration *list,
                                               size_t count) MUST_CHECK;
