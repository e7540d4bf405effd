#pragma once

#include "storage/sql/sql.h"

/* The row of the table `meta` that has the number of the last step: the schema version. SQLite
 * stores that number elsewhere. Trickhouse 0.2.0 and older versions had a row of another name. */
#define MIGRATE_VERSION_ROW "schema_version"
#define MIGRATE_OLD_VERSION_ROW "schema"

/* Inside storage/ only: makes the tables of a PostgreSQL database, or changes them to the schema of
 * this program, step by step. The steps are the files migrations/postgres/NNN-what.sql. Refuses a
 * database that would sort texts in another order than that of their bytes. Returns STORAGE_OLDER,
 * _NEWER, _FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_postgres(struct storage *storage) MUST_CHECK;
