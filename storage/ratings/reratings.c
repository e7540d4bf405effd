#include "storage/ratings/reratings.h"

#include "storage/sql/sql.h"

enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating)
{
    struct sql q =
        sql_write(storage, "INSERT INTO reratings (game, void_id, phase, at_ms, after_id)"
                           " VALUES (?, ?, 0, ?, ?)");

    sql_bind_text(&q, rerating->game, sizeof rerating->game);
    sql_bind_id(&q, rerating->void_id);
    sql_bind_int(&q, rerating->at_ms);
    sql_bind_int(&q, rerating->after_id);
    return sql_run(&q);
}

enum storage_result storage_rerating_first(struct storage *storage,
                                           struct storage_rerating *rerating)
{
    struct sql q = sql_read(storage, "SELECT id, game, void_id, phase, at_ms, after_id"
                                     " FROM reratings ORDER BY id LIMIT 1");

    if (sql_first(&q)) {
        *rerating = (struct storage_rerating){.id = sql_int(&q)};
        sql_text(&q, rerating->game, sizeof rerating->game);
        rerating->void_id = sql_int(&q);
        rerating->phase = (enum storage_rerating_phase)sql_choice(&q, STORAGE_RERATING_PHASE_LAST);
        rerating->at_ms = sql_int(&q);
        rerating->after_id = sql_int(&q);
    }
    return sql_end(&q);
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

enum storage_result storage_rerating_end(struct storage *storage, int64_t id)
{
    struct sql q = sql_write(storage, "DELETE FROM reratings WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_rerated_put(struct storage *storage,
                                        const struct storage_rerated *rerated)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO rerated"
                                      " (account, season, mu, sigma, as_of_ms)"
                                      " VALUES (?, ?, ?, ?, ?)");

    sql_bind_int(&q, rerated->account);
    sql_bind_int(&q, rerated->season);
    sql_bind_real(&q, rerated->mu);
    sql_bind_real(&q, rerated->sigma);
    sql_bind_int(&q, rerated->as_of_ms);
    return sql_run(&q);
}

enum storage_result storage_rerated_get(struct storage *storage, struct storage_rerated *rerated)
{
    struct sql q = sql_read(storage, "SELECT mu, sigma, as_of_ms FROM rerated"
                                     " WHERE account = ? AND season = ?");

    sql_bind_int(&q, rerated->account);
    sql_bind_int(&q, rerated->season);
    if (sql_first(&q)) {
        rerated->mu = sql_real(&q);
        rerated->sigma = sql_real(&q);
        rerated->as_of_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_rerated_any(struct storage *storage, int64_t *account)
{
    struct sql q = sql_read(storage, "SELECT account FROM rerated LIMIT 1");

    if (sql_first(&q)) {
        *account = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_rerated_drop(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM rerated WHERE account = ?");

    sql_bind_int(&q, account);
    return sql_run(&q);
}
