#include "storage/chat/chat.h"

#include "storage/sql/sql.h"

enum storage_result storage_offline_message_add(struct storage *storage,
                                                const struct storage_chat *line, int64_t account)
{
    return sql_run(SQL_WRITE(storage,
                             "INSERT INTO kept_tells (number, account, from_name, at_ms)"
                             " VALUES (?, ?, ?, ?)",
                             SQL_INT(line->number), SQL_INT(account),
                             SQL_TEXT(line->from, sizeof line->from), SQL_INT(line->at_ms)));
}

enum storage_result storage_offline_messages_count(struct storage *storage, int64_t account,
                                                   const char *from_name, int64_t *count,
                                                   int64_t *count_from_name)
{
    struct sql *q = SQL_READ(storage,
                             "SELECT count(*), count(*) FILTER (WHERE from_name = ?1)"
                             " FROM kept_tells WHERE account = ?2",
                             SQL_TEXT(from_name, STORAGE_NAME_SIZE), SQL_INT(account));

    if (sql_first_row(q)) {
        *count = sql_read_int(q);
        *count_from_name = sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result storage_offline_messages_delete(struct storage *storage, int64_t account)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM kept_tells WHERE account = ?", SQL_INT(account)));
}

enum storage_result storage_offline_messages_expire(struct storage *storage, int64_t before_ms)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM kept_tells WHERE number IN (SELECT number"
                             " FROM kept_tells ORDER BY number LIMIT 20) AND at_ms < ?",
                             SQL_INT(before_ms)));
}
