#pragma once

#include "storage/sql/sql.h"

/* Inside storage/ only: opens and closes the connection to a PostgreSQL database. */

/* Connects to the database and sets the storage's engine. storage->why describes a failure; call
 * sql_postgres_disconnect then too. */
enum storage_result sql_postgres_connect(struct storage *storage, const char *url) MUST_CHECK;

/* Closes the connection, if there is one. */
void sql_postgres_disconnect(struct storage *storage);
