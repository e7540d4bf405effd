#pragma once

#include "storage/copies.h"

/* Compares the schema of a database with the one that the migrations make. Reports each table,
 * column, view, index, trigger or function that is strange, missing or defined in another way. */

/* Compares the schema of an SQLite database that has had all migrations. STORAGE_OK, with findings
 * or without, _IO, _CORRUPT: `why` tells what failed. */
enum storage_result schema_check(struct storage *storage, const struct storage_findings *findings,
                                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same for a PostgreSQL database. The tables to compare with are made in a schema of their own,
 * in a transaction that is rolled back. Also _REFUSED: the database lets this role make none. */
enum storage_result schema_check_postgres(const char *url, const struct storage_findings *findings,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;
