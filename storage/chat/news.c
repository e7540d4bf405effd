#include "storage/chat/news.h"

#include "storage/sql/sql.h"

enum storage_result storage_news_add(struct storage *storage, const struct storage_news *news,
                                     int64_t *id)
{
    struct sql q = sql_write(storage, "INSERT INTO news (at_ms, text) VALUES (?, ?)");

    sql_bind_int(&q, news->at_ms);
    sql_bind_text(&q, news->text, sizeof news->text);
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

enum storage_result storage_news_last(struct storage *storage, size_t count, storage_news_row *row,
                                      void *context)
{
    struct sql q = sql_read(storage, "SELECT id, at_ms, text FROM news ORDER BY id DESC LIMIT ?");
    bool goes_on = true;

    sql_bind_int(&q, (int64_t)count);
    while (goes_on && sql_row(&q)) {
        struct storage_news news = {.id = sql_int(&q), .at_ms = sql_int(&q)};
        sql_text(&q, news.text, sizeof news.text);
        goes_on = row(context, &news);
    }
    return sql_end(&q);
}
