#pragma once

#include "storage/sql/sql.h"

/* Inside storage/ only: makes the tables of a PostgreSQL database, or changes them to the schema of
 * this program, step by step. The steps are the files migrations/postgres/NNN-what.sql; the first
 * one makes all tables. The row `schema` of the table `meta` has the number of the last step.
 * Refuses a database that would sort texts in another order than that of their bytes. Returns
 * STORAGE_NEWER, STORAGE_FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_postgres(struct storage *storage) MUST_CHECK;
