#include "storage/ratings/refunds.h"

#include "storage/sql/rows.h"

ROWS_BINDING(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

enum storage_result storage_refund_add(struct storage *storage, const struct storage_refund *refund)
{
    struct sql q = sql_write(storage, ROW_INSERT("refunds", STORAGE_REFUND_COLUMNS));

    bind_refund(&q, refund);
    return sql_run(&q);
}

enum storage_result storage_refunds_of_game(struct storage *storage, struct storage_refund *refund,
                                            bool *is_same)
{
    struct sql q = sql_read(storage, "SELECT total(mu), count(*) FILTER (WHERE lost_to IS NULL"
                                     " OR lost_to = ?) FROM refunds WHERE game_id = ?"
                                     " AND account = ? AND season = ?");

    sql_bind_int(&q, refund->lost_to);
    sql_bind_int(&q, refund->game_id);
    sql_bind_int(&q, refund->account);
    sql_bind_int(&q, refund->season);
    refund->mu = 0;
    *is_same = false;
    if (sql_first(&q)) {
        refund->mu = sql_real(&q);
        *is_same = sql_int(&q) != 0;
    }
    return sql_end(&q);
}

enum storage_result storage_refunds_sum(struct storage *storage, struct storage_refund *refund,
                                        int64_t until_ms)
{
    struct sql q = sql_read(storage, "SELECT total(mu) FROM refunds WHERE account = ? AND game = ?"
                                     " AND season = ? AND at_ms > ? AND at_ms <= ?");

    sql_bind_int(&q, refund->account);
    sql_bind_text(&q, refund->game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, refund->season);
    sql_bind_int(&q, refund->at_ms);
    sql_bind_int(&q, until_ms);
    refund->mu = 0;
    if (sql_first(&q)) {
        refund->mu = sql_real(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_refunds_delete(struct storage *storage, int64_t game_id)
{
    struct sql q = sql_write(storage, "DELETE FROM refunds WHERE game_id = ?");

    sql_bind_int(&q, game_id);
    return sql_run(&q);
}
