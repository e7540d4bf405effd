#include "storage/chat/chat.h"

#include "storage/sql/sql.h"

enum storage_result storage_channel_join(struct storage *storage, int64_t account,
                                         const char *channel, int64_t joined_ms)
{
    return sql_run(SQL_WRITE(storage,
                             "INSERT INTO channel_members (account, channel, since_ms)"
                             " VALUES (?, ?, ?)",
                             SQL_INT(account), SQL_TEXT(channel, STORAGE_WORD_SIZE),
                             SQL_INT(joined_ms)));
}

enum storage_result storage_channel_leave(struct storage *storage, int64_t account,
                                          const char *channel)
{
    return sql_run_change(SQL_WRITE(storage,
                                    "DELETE FROM channel_members WHERE account = ? AND channel = ?",
                                    SQL_INT(account), SQL_TEXT(channel, STORAGE_WORD_SIZE)));
}

static enum storage_result call_row_for_each_channel(struct sql *q, storage_channel_row *row,
                                                     void *context)
{
    bool goes_on = true;

    while (goes_on && sql_next_row(q)) {
        char channel[STORAGE_WORD_SIZE];
        sql_read_text(q, channel, sizeof channel);
        goes_on = row(context, channel, sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result storage_channels_of_account(struct storage *storage, int64_t account,
                                                storage_channel_row *row, void *context)
{
    return call_row_for_each_channel(
        SQL_READ(storage,
                 "SELECT channel, 1 FROM channel_members WHERE account = ?"
                 " ORDER BY since_ms, channel",
                 SQL_INT(account)),
        row, context);
}

enum storage_result storage_channels_each(struct storage *storage, storage_channel_row *row,
                                          void *context)
{
    return call_row_for_each_channel(SQL_READ(storage,
                                              "SELECT channel, count(*) FROM channel_members"
                                              " GROUP BY channel ORDER BY channel",
                                              SQL_NONE),
                                     row, context);
}

enum storage_result storage_channel_exists(struct storage *storage, const char *channel,
                                           bool *is_there)
{
    struct sql *q = SQL_READ(storage, "SELECT 1 FROM channel_members WHERE channel = ? LIMIT 1",
                             SQL_TEXT(channel, STORAGE_WORD_SIZE));

    return statement_has_row(q, is_there);
}
