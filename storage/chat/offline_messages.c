#include "storage/chat/offline_messages.h"

#include "storage/sql/sql.h"

enum storage_result storage_offline_message_add(struct storage *storage,
                                                const struct storage_chat *line, int64_t account)
{
    struct sql q = sql_write(storage, "INSERT INTO kept_tells (number, account, from_name, at_ms)"
                                      " VALUES (?, ?, ?, ?)");

    sql_bind_int(&q, line->number);
    sql_bind_int(&q, account);
    sql_bind_text(&q, line->from, sizeof line->from);
    sql_bind_int(&q, line->at_ms);
    return sql_run(&q);
}

enum storage_result storage_offline_messages_count(struct storage *storage, int64_t account,
                                                   const char *from, int64_t *count,
                                                   int64_t *count_from)
{
    struct sql q = sql_read(storage, "SELECT count(*), count(*) FILTER (WHERE from_name = ?1)"
                                     " FROM kept_tells WHERE account = ?2");

    sql_bind_text(&q, from, STORAGE_NAME_SIZE);
    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        *count = sql_int(&q);
        *count_from = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_offline_messages_delete(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM kept_tells WHERE account = ?");

    sql_bind_int(&q, account);
    return sql_run(&q);
}

enum storage_result storage_offline_messages_expire(struct storage *storage, int64_t before_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM kept_tells WHERE number IN (SELECT number"
                                      " FROM kept_tells ORDER BY number LIMIT 20) AND at_ms < ?");

    sql_bind_int(&q, before_ms);
    return sql_run(&q);
}
