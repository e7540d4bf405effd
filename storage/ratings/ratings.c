#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"

ROWS(rating, struct storage_rating, STORAGE_RATING_COLUMNS);
ROWS(rating_change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROWS_BINDING(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);
ROWS_BINDING(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

#define SELECT_RATINGS ROW_SELECT("ratings", STORAGE_RATING_COLUMNS) " WHERE account = ?"
#define BY_GAMES " AND season = 0 AND games > 0 ORDER BY games DESC, rated_ms DESC, game"
#define SELECT_CHANGES ROW_SELECT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS) " WHERE "

#define STATEMENT STATEMENT_DEFINED
#include "storage/ratings/ratings.def"

enum storage_result storage_rating_change_set(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    struct sql q = sql_write(
        storage, "UPDATE rating_changes SET " ROW_SETS(
                     STORAGE_RATING_CHANGE_VALUE_COLUMNS) " WHERE game_id = ? AND seat = ?");

    bind_values(&q, change);
    sql_bind_int(&q, change->game_id);
    sql_bind_int(&q, change->seat);
    return sql_run_change(&q);
}

enum storage_result storage_rating_read_last_mus(struct storage *storage, int64_t account,
                                                 const char *game, double *mus, size_t capacity,
                                                 size_t *count)
{
    /* The index rating_changes_of_account has all columns of this query, so SQLite reads the index
     * only. */
    struct sql *q =
        SQL_READ(storage,
                 "SELECT mu_before FROM rating_changes"
                 " WHERE account = ? AND game = ? ORDER BY at_ms DESC, mu_before DESC LIMIT ?",
                 SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE), SQL_INT((int64_t)capacity));

    *count = 0;
    while (*count < capacity && sql_next_row(q)) {
        mus[(*count)++] = sql_read_real(q);
    }
    return sql_end(q);
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

#define DAY_MS INT64_C(86400000)
#define DAYS_KEPT 31

double storage_rating_change_place(const struct storage_rating_change *change)
{
    if (change->has_left || change->players < 2) {
        return change->has_left ? 0.0 : 1.0;
    }
    return (double)(change->players - change->rank) / (double)(change->players - 1);
}

static enum storage_result add_to_tally(struct storage *storage,
                                        const struct storage_rating_change *change, int64_t span,
                                        int sign)
{
    return sql_run_deferred(SQL_WRITE(
        storage, "INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" TALLIES_ADD_UP,
        SQL_INT(change->account), SQL_TEXT(change->game, sizeof change->game), SQL_INT(span),
        SQL_INT(change->players), SQL_INT(change->at_ms), SQL_INT(sign),
        SQL_REAL(sign * change->win), SQL_REAL(sign * storage_rating_change_place(change)),
        SQL_INT(sign * (int64_t)change->stat_hits), SQL_INT(sign * (int64_t)change->stat_chances),
        SQL_INT(change->has_left ? 0 : sign), SQL_INT(change->has_left ? sign : 0)));
}

/* Deletes tallies of days that are too old for any board. */
STATEMENT_INSIDE(delete_old_day_tallies, DEFER,
                 "DELETE FROM tallies WHERE account = ? AND game = ?"
                 " AND span < 0 AND span > ?",
                 GIVEN(const struct storage_rating_change *change), VALUE(change->account),
                 WORDS(change->game, STORAGE_WORD_SIZE), VALUE(DAYS_KEPT - change->at_ms / DAY_MS));

enum storage_result storage_tallies_add_rating_change(struct storage *storage,
                                                      const struct storage_rating_change *change,
                                                      int sign)
{
    const int64_t spans[] = {STORAGE_SPAN_ALL, change->season, -(change->at_ms / DAY_MS)};
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < ARRAY_LEN(spans) && result == STORAGE_OK; i++) {
        result = add_to_tally(storage, change, spans[i], sign);
    }
    return result == STORAGE_OK && sign > 0 ? delete_old_day_tallies(storage, change) : result;
}
