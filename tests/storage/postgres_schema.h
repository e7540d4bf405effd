#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A schema in a PostgreSQL database, for tests and measurements. Each process has its own. */

#define POSTGRES_SCHEMA_URL_SIZE 120

/* Creates the empty schema of this process in the database of the URL, in place of an earlier one;
 * writes the URL that leads to it. Returns false on a failure, or if the URL is too long. */
bool postgres_schema_make(const char *database, char url[POSTGRES_SCHEMA_URL_SIZE]);

/* Drops the schema with all that is in it. */
bool postgres_schema_drop(const char *database);

/* Runs statements, separated by semicolons, over a connection of their own. Returns whether the
 * database allowed them; prints why it did not. */
bool postgres_schema_run(const char *url, const char *script);
