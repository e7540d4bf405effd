#include "storage/chat/chat.h"

#include "storage/sql/sql.h"

ROWS(news, struct storage_news, STORAGE_NEWS_COLUMNS);

enum storage_result storage_news_add(struct storage *storage, const struct storage_news *news,
                                     int64_t *id)
{
    return run_new_news(sql_write(storage, ROW_INSERT_NEW("news", STORAGE_NEWS_COLUMNS)), news, id);
}

enum storage_result storage_news_remove(struct storage *storage, int64_t id)
{
    return sql_run_change(SQL_WRITE(storage, "DELETE FROM news WHERE id = ?", SQL_INT(id)));
}

enum storage_result storage_news_count(struct storage *storage, int64_t after_id, int64_t *count)
{
    return statement_read_number(
        SQL_READ(storage, "SELECT count(*) FROM news WHERE id > ?", SQL_INT(after_id)), count);
}

enum storage_result storage_news_read_last(struct storage *storage, size_t count,
                                           storage_news_row *row, void *context)
{
    return each_news(SQL_READ(storage,
                              ROW_SELECT("news", STORAGE_NEWS_COLUMNS) " ORDER BY id DESC LIMIT ?",
                              SQL_INT((int64_t)count)),
                     row, context);
}
