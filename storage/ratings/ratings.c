#include "storage/ratings/ratings.h"

#include "storage/sql/sql.h"

ROWS(rating, struct storage_rating, STORAGE_RATING_ALL_COLUMNS);
ROWS(change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROWS_BINDING(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);

#define SELECT_RATINGS(table) ROW_SELECT(table, STORAGE_RATING_ALL_COLUMNS) " WHERE account = ?"
#define SELECT_CHANGES ROW_SELECT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS) " WHERE "
#define RATING_NAMES ROW_NAMES(STORAGE_RATING_ALL_COLUMNS)
#define RATING_PLACES ROW_PLACES(STORAGE_RATING_ALL_COLUMNS)
#define SET_RATING ROW_SET_ALL(STORAGE_RATING_ALL_COLUMNS)

/* is_bot is NULL for a missing account, so the insertion is refused. */
#define SAVE_RATING                                                                                \
    "INSERT INTO ratings (" RATING_NAMES ", is_bot) VALUES (" RATING_PLACES ","                    \
    " (SELECT CASE kind WHEN 1 THEN 1 ELSE 0 END FROM accounts WHERE id = ?1))"                    \
    " ON CONFLICT (account, game) DO UPDATE SET is_bot = excluded.is_bot, " SET_RATING
#define SAVE_SEASON_RATING                                                                         \
    "INSERT INTO season_ratings (" RATING_NAMES ", season) VALUES (" RATING_PLACES ", ?)"          \
    " ON CONFLICT (account, game, season) DO UPDATE SET " SET_RATING

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        struct storage_rating *rating)
{
    return read_rating(SQL_READ(storage, SELECT_RATINGS("ratings") " AND game = ?",
                                SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE)),
                       rating);
}

enum storage_result storage_rating_read_most_played(struct storage *storage, int64_t account,
                                                    struct storage_rating *rating)
{
    return read_rating(
        SQL_READ(storage,
                 SELECT_RATINGS("ratings") " AND games > 0"
                                           " ORDER BY games DESC, rated_ms DESC, game LIMIT 1",
                 SQL_INT(account)),
        rating);
}

enum storage_result storage_season_rating_read(struct storage *storage, int64_t account,
                                               const char *game, int32_t season,
                                               struct storage_rating *rating)
{
    return read_rating(
        SQL_READ(storage, SELECT_RATINGS("season_ratings") " AND game = ? AND season = ?",
                 SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE), SQL_INT(season)),
        rating);
}

enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating)
{
    return run_rating(sql_write(storage, SAVE_RATING), rating);
}

enum storage_result storage_season_rating_save(struct storage *storage, int32_t season,
                                               const struct storage_rating *rating)
{
    struct sql q = sql_write(storage, SAVE_SEASON_RATING);

    bind_rating(&q, rating);
    sql_bind_int(&q, season);
    return sql_run(&q);
}

enum storage_result storage_ratings_delete(struct storage *storage, int64_t account,
                                           const char *game)
{
    struct sql *all = SQL_WRITE(storage, "DELETE FROM ratings WHERE account = ? AND game = ?",
                                SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE));

    RETURN_FAILURE(sql_run(all));
    return sql_run(SQL_WRITE(storage, "DELETE FROM season_ratings WHERE account = ? AND game = ?",
                             SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE)));
}

enum storage_result storage_ratings_each(struct storage *storage, int64_t account,
                                         storage_rating_row *row, void *context)
{
    return each_rating(
        SQL_READ(storage,
                 SELECT_RATINGS("ratings") " AND games > 0"
                                           " ORDER BY games DESC, rated_ms DESC, game",
                 SQL_INT(account)),
        row, context);
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
