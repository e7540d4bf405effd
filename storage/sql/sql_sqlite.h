#pragma once

#include "storage/sql/sql.h"

/* Inside storage/ only: what the code that knows SQLite needs besides sql.h. */

/* Translates an SQLite result code into a result for callers and keeps SQLite's message for
 * storage_last_failure. Rolls the transaction back if the failure affects all of it. */
enum storage_result sql_sqlite_handle_failure(struct storage *storage, int code);

/* Returns the settings of every connection as an SQL script. Run the script before anything else,
 * outside a transaction. */
const char *sql_sqlite_settings(void);
