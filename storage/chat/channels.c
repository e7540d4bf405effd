#include "storage/chat/channels.h"

#include "storage/sql/sql.h"

enum storage_result storage_channel_join(struct storage *storage, int64_t account,
                                         const char *channel, int64_t since_ms)
{
    struct sql q = sql_write(storage, "INSERT INTO channel_members (account, channel, since_ms)"
                                      " VALUES (?, ?, ?)");

    sql_bind_int(&q, account);
    sql_bind_text(&q, channel, STORAGE_WORD_SIZE);
    sql_bind_int(&q, since_ms);
    return sql_run(&q);
}

enum storage_result storage_channel_leave(struct storage *storage, int64_t account,
                                          const char *channel)
{
    struct sql q =
        sql_write(storage, "DELETE FROM channel_members WHERE account = ? AND channel = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, channel, STORAGE_WORD_SIZE);
    return sql_run_on_row(&q);
}

static enum storage_result each_channel(struct sql *q, storage_channel_row *row, void *context)
{
    bool goes_on = true;

    while (goes_on && sql_row(q)) {
        char channel[STORAGE_WORD_SIZE];
        sql_text(q, channel, sizeof channel);
        goes_on = row(context, channel, sql_int(q));
    }
    return sql_end(q);
}

enum storage_result storage_channels_of_account(struct storage *storage, int64_t account,
                                                storage_channel_row *row, void *context)
{
    struct sql q = sql_read(storage, "SELECT channel, 1 FROM channel_members WHERE account = ?"
                                     " ORDER BY since_ms, channel");

    sql_bind_int(&q, account);
    return each_channel(&q, row, context);
}

enum storage_result storage_channels_each(struct storage *storage, storage_channel_row *row,
                                          void *context)
{
    struct sql q = sql_read(storage, "SELECT channel, count(*) FROM channel_members"
                                     " GROUP BY channel ORDER BY channel");

    return each_channel(&q, row, context);
}

enum storage_result storage_channel_exists(struct storage *storage, const char *channel,
                                           bool *is_there)
{
    struct sql q = sql_read(storage, "SELECT 1 FROM channel_members WHERE channel = ? LIMIT 1");

    sql_bind_text(&q, channel, STORAGE_WORD_SIZE);
    *is_there = sql_row(&q);
    return sql_end(&q);
}
