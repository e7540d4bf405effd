#include "storage/accounts/connections.h"

#include "storage/sql/rows.h"

ROWS(connection, struct storage_connection, STORAGE_CONNECTION_COLUMNS);

#define SELECT_CONNECTION ROW_SELECT("connections", STORAGE_CONNECTION_COLUMNS)

enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection)
{
    struct sql q = sql_write(storage, ROW_REPLACE("connections", STORAGE_CONNECTION_COLUMNS));

    bind_connection(&q, connection);
    return sql_run(&q);
}

enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection)
{
    struct sql q = sql_read(storage, SELECT_CONNECTION " WHERE conn = ?");

    sql_bind_int(&q, conn);
    return read_connection(&q, connection);
}

enum storage_result storage_connection_store_goodbye(struct storage *storage, int64_t conn,
                                                     const char *why)
{
    struct sql q = sql_write(storage, "UPDATE connections SET bye = ? WHERE conn = ?");

    sql_bind_text(&q, why, STORAGE_BYE_SIZE);
    sql_bind_int(&q, conn);
    return sql_run(&q);
}

enum storage_result storage_connection_read_goodbye(struct storage *storage, int64_t conn,
                                                    char why[STORAGE_BYE_SIZE])
{
    struct sql q = sql_read(storage, "SELECT bye FROM connections WHERE conn = ? AND bye <> ''");

    sql_bind_int(&q, conn);
    if (sql_first(&q)) {
        sql_text(&q, why, STORAGE_BYE_SIZE);
    }
    return sql_end(&q);
}

enum storage_result storage_connection_delete(struct storage *storage, int64_t conn)
{
    struct sql q = sql_write(storage, "DELETE FROM connections WHERE conn = ?");

    sql_bind_int(&q, conn);
    return sql_run(&q);
}

enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context)
{
    struct sql q = sql_read(storage, SELECT_CONNECTION " ORDER BY conn");

    return each_connection(&q, row, context);
}
