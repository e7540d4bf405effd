#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"

ROWS(rating, struct storage_rating, STORAGE_RATING_COLUMNS);
ROWS(change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROWS_BINDING(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);

#define SELECT_RATINGS ROW_SELECT("ratings", STORAGE_RATING_COLUMNS) " WHERE account = ?"
#define SELECT_CHANGES ROW_SELECT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS) " WHERE "

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        int32_t season, struct storage_rating *rating)
{
    return read_rating(SQL_READ(storage, SELECT_RATINGS " AND game = ? AND season = ?",
                                SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE),
                                SQL_INT(season)),
                       rating);
}

#define BY_GAMES " AND season = 0 AND games > 0 ORDER BY games DESC, rated_ms DESC, game"

enum storage_result storage_rating_read_most_played(struct storage *storage, int64_t account,
                                                    struct storage_rating *rating)
{
    return read_rating(SQL_READ(storage, SELECT_RATINGS BY_GAMES " LIMIT 1", SQL_INT(account)),
                       rating);
}

enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating)
{
    return run_rating(
        sql_write(storage, ROW_UPSERT("ratings", "account, game, season", STORAGE_RATING_COLUMNS)),
        rating);
}

enum storage_result storage_ratings_delete(struct storage *storage, int64_t account,
                                           const char *game)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM ratings WHERE account = ? AND game = ?",
                             SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE)));
}

enum storage_result storage_ratings_each(struct storage *storage, int64_t account,
                                         storage_rating_row *row, void *context)
{
    return each_rating(SQL_READ(storage, SELECT_RATINGS BY_GAMES, SQL_INT(account)), row, context);
}

enum storage_result storage_rating_change_add(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    return run_change(
        sql_write(storage, ROW_INSERT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS)),
        change);
}

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

enum storage_result storage_rating_changes_delete(struct storage *storage, int64_t game_id)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM rating_changes WHERE game_id = ?", SQL_INT(game_id)));
}

enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count)
{
    struct sql *q = SQL_READ(storage, SELECT_CHANGES "game_id = ? ORDER BY seat", SQL_INT(game_id));

    *count = 0;
    while (*count < capacity && sql_next_row(q)) {
        take_change(q, &changes[(*count)++]);
    }
    return sql_end(q);
}

enum storage_result storage_rating_changes_each(struct storage *storage,
                                                const struct storage_rating_changes_query *query,
                                                storage_rating_change_row *row, void *context)
{
    return each_change(SQL_READ(storage,
                                SELECT_CHANGES "account = ? AND game = ? AND at_ms >= ?"
                                               " ORDER BY at_ms, game_id LIMIT ?",
                                SQL_INT(query->account), SQL_TEXT(query->game, STORAGE_WORD_SIZE),
                                SQL_INT(query->since_ms), SQL_INT((int64_t)query->count)),
                       row, context);
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

enum storage_result storage_rating_changes_count(struct storage *storage, int64_t account,
                                                 const char *game, int64_t until_ms,
                                                 uint32_t max_count, uint32_t *count)
{
    /* The index rating_changes_of_account has all columns of this query. */
    struct sql *q = SQL_READ(storage,
                             "SELECT count(*) FROM (SELECT 1 AS one FROM rating_changes"
                             " WHERE account = ? AND game = ? AND at_ms <= ? LIMIT ?)"
                             " AS counted",
                             SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE), SQL_INT(until_ms),
                             SQL_INT(max_count));

    *count = 0;
    return statement_read_count(q, count);
}

enum storage_result storage_rating_changes_count_shared(struct storage *storage,
                                                        const struct storage_rating_change *change,
                                                        int64_t other, int64_t within_ms,
                                                        uint32_t *count)
{
    struct sql *q = SQL_READ(
        storage,
        "SELECT count(DISTINCT a.game_id) FROM rating_changes a JOIN rating_changes b"
        " ON b.game_id = a.game_id JOIN games g ON g.id = a.game_id"
        " WHERE a.account = ? AND a.game = ? AND b.account = ?"
        " AND a.at_ms >= ? AND (a.at_ms, a.game_id) < (?, ?) AND g.state = 1",
        SQL_INT(change->account), SQL_TEXT(change->game, STORAGE_WORD_SIZE), SQL_INT(other),
        SQL_INT(change->at_ms - within_ms), SQL_INT(change->at_ms), SQL_INT(change->game_id));

    return statement_read_count(q, count);
}

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

#define DAY_MS INT64_C(86400000)
#define DAYS_KEPT 31

static enum storage_result add_to_tally(struct storage *storage,
                                        const struct storage_rating_change *change, int64_t span,
                                        int sign)
{
    /* A player who left for good counts as last, even if others left too. */
    const double place = change->has_left      ? 0.0
                         : change->players > 1 ? (double)(change->players - change->rank) /
                                                     (double)(change->players - 1)
                                               : 1.0;
    return sql_run_deferred(SQL_WRITE(
        storage, "INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" TALLIES_ADD_UP,
        SQL_INT(change->account), SQL_TEXT(change->game, sizeof change->game), SQL_INT(span),
        SQL_INT(change->players), SQL_INT(change->at_ms), SQL_INT(sign),
        SQL_REAL(sign * change->win), SQL_REAL(sign * place),
        SQL_INT(sign * (int64_t)change->stat_hits), SQL_INT(sign * (int64_t)change->stat_chances),
        SQL_INT(change->has_left ? 0 : sign), SQL_INT(change->has_left ? sign : 0)));
}

/* Deletes tallies of days that are too old for any board. */
static enum storage_result delete_old_day_tallies(struct storage *storage,
                                                  const struct storage_rating_change *change)
{
    return sql_run_deferred(SQL_WRITE(storage,
                                      "DELETE FROM tallies WHERE account = ? AND game = ?"
                                      " AND span < 0 AND span > ?",
                                      SQL_INT(change->account),
                                      SQL_TEXT(change->game, sizeof change->game),
                                      SQL_INT(DAYS_KEPT - change->at_ms / DAY_MS)));
}

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

enum storage_result storage_tallies_update_last_ms(struct storage *storage, int64_t account,
                                                   const char *game)
{
    return sql_run_deferred(
        SQL_WRITE(storage,
                  "UPDATE tallies SET last_ms = coalesce((SELECT max(c.at_ms) FROM rating_changes c"
                  " WHERE c.account = tallies.account AND c.game = tallies.game"
                  " AND c.players = tallies.players AND tallies.span IN (0, c.season)), 0)"
                  " WHERE account = ? AND game = ? AND span >= 0",
                  SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE)));
}
