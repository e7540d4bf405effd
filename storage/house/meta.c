#include "storage/house/meta.h"

#include "storage/sql/sql.h"

enum storage_result storage_meta_get(struct storage *storage, const char *name,
                                     char value[STORAGE_META_SIZE])
{
    struct sql q = sql_read(storage, "SELECT value FROM meta WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_WORD_SIZE);
    if (sql_first(&q)) {
        sql_text(&q, value, STORAGE_META_SIZE);
    }
    return sql_end(&q);
}

enum storage_result storage_meta_set(struct storage *storage, const char *name, const char *value)
{
    struct sql q = sql_write(storage, "INSERT INTO meta (name, value) VALUES (?, ?)"
                                      " ON CONFLICT DO UPDATE SET value = excluded.value");

    sql_bind_text(&q, name, STORAGE_WORD_SIZE);
    sql_bind_text(&q, value, STORAGE_META_SIZE);
    return sql_run(&q);
}

enum storage_result storage_counter_take(struct storage *storage, const char *name, int64_t count,
                                         int64_t *first)
{
    struct sql q = sql_write(storage, "INSERT INTO counters (name, next) VALUES (?1, 1 + ?2)"
                                      " ON CONFLICT DO UPDATE SET next = next + ?2"
                                      " RETURNING next - ?2");

    sql_bind_text(&q, name, STORAGE_WORD_SIZE);
    sql_bind_int(&q, count);
    if (sql_first(&q)) {
        *first = sql_int(&q);
    }
    return sql_run(&q);
}

enum storage_result storage_counter_read(struct storage *storage, const char *name, int64_t *next)
{
    struct sql q =
        sql_read(storage, "SELECT coalesce((SELECT next FROM counters WHERE name = ?), 1)");

    sql_bind_text(&q, name, STORAGE_WORD_SIZE);
    if (sql_first(&q)) {
        *next = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_counter_raise(struct storage *storage, const char *name, int64_t least)
{
    struct sql q = sql_write(storage, "INSERT INTO counters (name, next) VALUES (?1, max(1, ?2))"
                                      " ON CONFLICT DO UPDATE SET next = max(next, ?2)");

    sql_bind_text(&q, name, STORAGE_WORD_SIZE);
    sql_bind_int(&q, least);
    return sql_run(&q);
}
