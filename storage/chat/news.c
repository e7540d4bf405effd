#include "storage/chat/news.h"

#include "storage/sql/rows.h"

ROWS(news, struct storage_news, STORAGE_NEWS_COLUMNS);

enum storage_result storage_news_add(struct storage *storage, const struct storage_news *news,
                                     int64_t *id)
{
    struct sql q = sql_write(storage, ROW_INSERT_NEW("news", STORAGE_NEWS_COLUMNS));

    bind_new_news(&q, news);
    return sql_run_new(&q, id);
}

enum storage_result storage_news_remove(struct storage *storage, int64_t id)
{
    struct sql q = sql_write(storage, "DELETE FROM news WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_news_count(struct storage *storage, int64_t after, int64_t *count)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM news WHERE id > ?");

    sql_bind_int(&q, after);
    if (sql_first(&q)) {
        *count = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_news_read_last(struct storage *storage, size_t count,
                                           storage_news_row *row, void *context)
{
    struct sql q =
        sql_read(storage, ROW_SELECT("news", STORAGE_NEWS_COLUMNS) " ORDER BY id DESC LIMIT ?");

    sql_bind_int(&q, (int64_t)count);
    return each_news(&q, row, context);
}
