#include "storage/ratings/reratings.h"

#include "storage/sql/rows.h"

ROWS(rerating, struct storage_rerating, STORAGE_RERATING_COLUMNS);
ROWS(rerated, struct storage_rerated, STORAGE_RERATED_COLUMNS);

enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating)
{
    struct storage_rerating waiting = *rerating;
    struct sql q = sql_write(storage, ROW_INSERT_NEW("reratings", STORAGE_RERATING_COLUMNS));

    waiting.phase = STORAGE_RERATING_WAITS;
    bind_new_rerating(&q, &waiting);
    return sql_run(&q);
}

enum storage_result storage_rerating_first(struct storage *storage,
                                           struct storage_rerating *rerating)
{
    struct sql q =
        sql_read(storage, ROW_SELECT("reratings", STORAGE_RERATING_COLUMNS) " ORDER BY id LIMIT 1");

    return read_rerating(&q, rerating);
}

enum storage_result storage_rerating_save(struct storage *storage,
                                          const struct storage_rerating *rerating)
{
    struct sql q = sql_write(storage, "UPDATE reratings SET phase = ?, at_ms = ?, after_id = ?"
                                      " WHERE id = ?");

    sql_bind_int(&q, rerating->phase);
    sql_bind_int(&q, rerating->at_ms);
    sql_bind_int(&q, rerating->after_id);
    sql_bind_int(&q, rerating->id);
    return sql_run_on_row(&q);
}

enum storage_result storage_rerating_delete(struct storage *storage, int64_t id)
{
    struct sql q = sql_write(storage, "DELETE FROM reratings WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_rerated_put(struct storage *storage,
                                        const struct storage_rerated *rerated)
{
    struct sql q = sql_write(storage, ROW_REPLACE("rerated", STORAGE_RERATED_COLUMNS));

    bind_rerated(&q, rerated);
    return sql_run(&q);
}

enum storage_result storage_rerated_get(struct storage *storage, struct storage_rerated *rerated)
{
    struct sql q =
        sql_read(storage, ROW_SELECT("rerated",
                                     STORAGE_RERATED_COLUMNS) " WHERE account = ? AND season = ?");

    sql_bind_int(&q, rerated->account);
    sql_bind_int(&q, rerated->season);
    return read_rerated(&q, rerated);
}

enum storage_result storage_rerated_find_any(struct storage *storage, int64_t *account)
{
    struct sql q = sql_read(storage, "SELECT account FROM rerated LIMIT 1");

    if (sql_first(&q)) {
        *account = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_rerated_delete(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM rerated WHERE account = ?");

    sql_bind_int(&q, account);
    return sql_run(&q);
}
