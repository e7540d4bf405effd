#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(connection, struct storage_connection, STORAGE_CONNECTION_COLUMNS);

#define SELECT_CONNECTION ROW_SELECT("connections", STORAGE_CONNECTION_COLUMNS)

enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection)
{
    return defer_connection(sql_write(storage, ROW_UPSERT("connections", "conn",
                                                          STORAGE_CONNECTION_COLUMNS) ", bye = ''"),
                            connection);
}

enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection)
{
    return read_connection(SQL_READ(storage, SELECT_CONNECTION " WHERE conn = ?", SQL_INT(conn)),
                           connection);
}

enum storage_result storage_connection_store_goodbye(struct storage *storage, int64_t conn,
                                                     const char *why)
{
    return sql_run_deferred(SQL_WRITE(storage, "UPDATE connections SET bye = ? WHERE conn = ?",
                                      SQL_TEXT(why, STORAGE_BYE_SIZE), SQL_INT(conn)));
}

enum storage_result storage_connection_read_goodbye(struct storage *storage, int64_t conn,
                                                    char why[STORAGE_BYE_SIZE])
{
    struct sql *q = SQL_READ(storage, "SELECT bye FROM connections WHERE conn = ? AND bye <> ''",
                             SQL_INT(conn));

    if (sql_first_row(q)) {
        sql_read_text(q, why, STORAGE_BYE_SIZE);
    }
    return sql_end(q);
}

enum storage_result storage_connection_delete(struct storage *storage, int64_t conn)
{
    return sql_run_deferred(
        SQL_WRITE(storage, "DELETE FROM connections WHERE conn = ?", SQL_INT(conn)));
}

enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context)
{
    return each_connection(SQL_READ(storage, SELECT_CONNECTION " ORDER BY conn", SQL_NONE), row,
                           context);
}
