#include "storage/ratings/ratings.h"

#include "storage/sql/sql.h"

ROWS_BINDING(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

enum storage_result storage_refund_add(struct storage *storage, const struct storage_refund *refund)
{
    return run_refund(sql_write(storage, ROW_INSERT("refunds", STORAGE_REFUND_COLUMNS)), refund);
}

enum storage_result storage_refund_sum_of_loss(struct storage *storage,
                                               struct storage_refund *refund, bool *is_refunded)
{
    struct sql *q = SQL_READ(storage,
                             "SELECT coalesce(sum(mu), 0.0), count(*) FILTER (WHERE lost_to IS NULL"
                             " OR lost_to = ?) FROM refunds WHERE game_id = ?"
                             " AND account = ? AND season = ?",
                             SQL_INT(refund->lost_to), SQL_INT(refund->game_id),
                             SQL_INT(refund->account), SQL_INT(refund->season));

    refund->mu = 0;
    *is_refunded = false;
    if (sql_first_row(q)) {
        refund->mu = sql_read_real(q);
        *is_refunded = sql_read_int(q) != 0;
    }
    return sql_end(q);
}

enum storage_result storage_refunds_sum(struct storage *storage, struct storage_refund *refund,
                                        int64_t until_ms)
{
    struct sql *q =
        SQL_READ(storage,
                 "SELECT coalesce(sum(mu), 0.0) FROM refunds WHERE account = ? AND game = ?"
                 " AND season = ? AND at_ms > ? AND at_ms <= ?",
                 SQL_INT(refund->account), SQL_TEXT(refund->game, STORAGE_WORD_SIZE),
                 SQL_INT(refund->season), SQL_INT(refund->at_ms), SQL_INT(until_ms));

    refund->mu = 0;
    if (sql_first_row(q)) {
        refund->mu = sql_read_real(q);
    }
    return sql_end(q);
}

enum storage_result storage_refunds_delete(struct storage *storage, int64_t game_id)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM refunds WHERE game_id = ?", SQL_INT(game_id)));
}
