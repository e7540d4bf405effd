#include "storage/ratings/ratings.h"

#include "storage/sql/sql.h"

ROWS(rerating, struct storage_rerating, STORAGE_RERATING_COLUMNS);
ROWS(rerated, struct storage_rerating_result, STORAGE_RERATING_RESULT_COLUMNS);

enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating)
{
    struct storage_rerating waiting = *rerating;
    struct sql q = sql_write(storage, ROW_INSERT_NEW("reratings", STORAGE_RERATING_COLUMNS));

    waiting.phase = STORAGE_RERATING_WAITS;
    bind_new_rerating(&q, &waiting);
    return sql_run(&q);
}

enum storage_result storage_rerating_read_oldest(struct storage *storage,
                                                 struct storage_rerating *rerating)
{
    return read_rerating(
        SQL_READ(storage, ROW_SELECT("reratings", STORAGE_RERATING_COLUMNS) " ORDER BY id LIMIT 1",
                 SQL_NONE),
        rerating);
}

enum storage_result storage_rerating_save(struct storage *storage,
                                          const struct storage_rerating *rerating)
{
    return sql_run_change(SQL_WRITE(storage,
                                    "UPDATE reratings SET phase = ?, at_ms = ?, after_id = ?"
                                    " WHERE id = ?",
                                    SQL_INT(rerating->phase), SQL_INT(rerating->at_ms),
                                    SQL_INT(rerating->after_id), SQL_INT(rerating->id)));
}

enum storage_result storage_rerating_delete(struct storage *storage, int64_t id)
{
    return sql_run_change(SQL_WRITE(storage, "DELETE FROM reratings WHERE id = ?", SQL_INT(id)));
}

enum storage_result storage_rerating_result_put(struct storage *storage,
                                                const struct storage_rerating_result *rerated)
{
    return run_rerated(sql_write(storage, ROW_UPSERT("rerated", "account, season",
                                                     STORAGE_RERATING_RESULT_COLUMNS)),
                       rerated);
}

enum storage_result storage_rerating_result_read(struct storage *storage,
                                                 struct storage_rerating_result *rerated)
{
    struct sql *q = SQL_READ(
        storage,
        ROW_SELECT("rerated", STORAGE_RERATING_RESULT_COLUMNS) " WHERE account = ? AND season = ?",
        SQL_INT(rerated->account), SQL_INT(rerated->season));

    return read_rerated(q, rerated);
}

enum storage_result storage_rerating_result_find_any_account(struct storage *storage,
                                                             int64_t *account)
{
    return statement_read_number(
        SQL_READ(storage, "SELECT account FROM rerated ORDER BY account, season LIMIT 1", SQL_NONE),
        account);
}

enum storage_result storage_rerating_results_delete(struct storage *storage, int64_t account)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM rerated WHERE account = ?", SQL_INT(account)));
}
