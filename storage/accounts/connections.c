#include "storage/accounts/connections.h"

#include "storage/sql/sql.h"

#define CONNECTION_COLUMNS                                                                         \
    "conn, phase, account, name, key_type, key_fingerprint, table_id, address, transport,"         \
    " since_ms, is_recovered, observes, review, review_place"

enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO connections (" CONNECTION_COLUMNS
                                      ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, connection->conn);
    sql_bind_text(&q, connection->phase, sizeof connection->phase);
    sql_bind_id(&q, connection->account);
    sql_bind_text(&q, connection->name, sizeof connection->name);
    sql_bind_text(&q, connection->key_type, sizeof connection->key_type);
    sql_bind_text(&q, connection->key_fingerprint, sizeof connection->key_fingerprint);
    sql_bind_id(&q, connection->table);
    sql_bind_text(&q, connection->address, sizeof connection->address);
    sql_bind_text(&q, connection->transport, sizeof connection->transport);
    sql_bind_int(&q, connection->since_ms);
    sql_bind_int(&q, connection->is_recovered);
    sql_bind_text(&q, connection->observes, sizeof connection->observes);
    sql_bind_id(&q, connection->review);
    sql_bind_int(&q, connection->review_place);
    return sql_run(&q);
}

static void take_connection(struct sql *q, struct storage_connection *connection)
{
    *connection = (struct storage_connection){.conn = sql_int(q)};
    sql_text(q, connection->phase, sizeof connection->phase);
    connection->account = sql_int(q);
    sql_text(q, connection->name, sizeof connection->name);
    sql_text(q, connection->key_type, sizeof connection->key_type);
    sql_text(q, connection->key_fingerprint, sizeof connection->key_fingerprint);
    connection->table = sql_int(q);
    sql_text(q, connection->address, sizeof connection->address);
    sql_text(q, connection->transport, sizeof connection->transport);
    connection->since_ms = sql_int(q);
    connection->is_recovered = sql_int(q) != 0;
    sql_text(q, connection->observes, sizeof connection->observes);
    connection->review = sql_int(q);
    connection->review_place = sql_int(q);
}

enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection)
{
    struct sql q =
        sql_read(storage, "SELECT " CONNECTION_COLUMNS " FROM connections WHERE conn = ?");

    sql_bind_int(&q, conn);
    if (sql_first(&q)) {
        take_connection(&q, connection);
    }
    return sql_end(&q);
}

enum storage_result storage_connection_dismiss(struct storage *storage, int64_t conn,
                                               const char *why)
{
    struct sql q = sql_write(storage, "UPDATE connections SET bye = ? WHERE conn = ?");

    sql_bind_text(&q, why, STORAGE_BYE_SIZE);
    sql_bind_int(&q, conn);
    return sql_run(&q);
}

enum storage_result storage_connection_dismissed(struct storage *storage, int64_t conn,
                                                 char why[STORAGE_BYE_SIZE])
{
    struct sql q = sql_read(storage, "SELECT bye FROM connections WHERE conn = ? AND bye <> ''");

    sql_bind_int(&q, conn);
    if (sql_first(&q)) {
        sql_text(&q, why, STORAGE_BYE_SIZE);
    }
    return sql_end(&q);
}

enum storage_result storage_connection_end(struct storage *storage, int64_t conn)
{
    struct sql q = sql_write(storage, "DELETE FROM connections WHERE conn = ?");

    sql_bind_int(&q, conn);
    return sql_run(&q);
}

enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context)
{
    struct storage_connection connection;
    bool goes_on = true;
    struct sql q =
        sql_read(storage, "SELECT " CONNECTION_COLUMNS " FROM connections ORDER BY conn");

    while (goes_on && sql_row(&q)) {
        take_connection(&q, &connection);
        goes_on = row(context, &connection);
    }
    return sql_end(&q);
}
