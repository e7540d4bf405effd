#include "storage/ratings/ratings.h"

#include "storage/sql/rows.h"

ROWS(rating, struct storage_rating, STORAGE_RATING_ALL_COLUMNS);
ROWS(change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROWS_BINDING(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);

#define SELECT_RATINGS(table) ROW_SELECT(table, STORAGE_RATING_ALL_COLUMNS) " WHERE account = ?"
#define SELECT_CHANGES ROW_SELECT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS) " WHERE "

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        struct storage_rating *rating)
{
    struct sql q = sql_read(storage, SELECT_RATINGS("ratings") " AND game = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    return read_rating(&q, rating);
}

enum storage_result storage_rating_read_most_played(struct storage *storage, int64_t account,
                                                    struct storage_rating *rating)
{
    struct sql q =
        sql_read(storage, SELECT_RATINGS("ratings") " AND games > 0"
                                                    " ORDER BY games DESC, rated_ms DESC LIMIT 1");

    sql_bind_int(&q, account);
    return read_rating(&q, rating);
}

enum storage_result storage_season_rating_read(struct storage *storage, int64_t account,
                                               const char *game, int32_t season,
                                               struct storage_rating *rating)
{
    struct sql q =
        sql_read(storage, SELECT_RATINGS("season_ratings") " AND game = ? AND season = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, season);
    return read_rating(&q, rating);
}

enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating)
{
    /* For a missing account is_bot is NULL, which the table refuses. */
    struct sql q = sql_write(
        storage,
        "INSERT OR REPLACE INTO ratings (" ROW_NAMES(
            STORAGE_RATING_ALL_COLUMNS) ", is_bot) VALUES (" ROW_PLACES(STORAGE_RATING_ALL_COLUMNS) ", (SELECT kind = 1 FROM accounts WHERE "
                                                                                                    "id = ?1))");

    bind_rating(&q, rating);
    return sql_run(&q);
}

enum storage_result storage_season_rating_save(struct storage *storage, int32_t season,
                                               const struct storage_rating *rating)
{
    struct sql q = sql_write(
        storage,
        "INSERT OR REPLACE INTO season_ratings (" ROW_NAMES(
            STORAGE_RATING_ALL_COLUMNS) ", season) VALUES (" ROW_PLACES(STORAGE_RATING_ALL_COLUMNS) ", ?)");

    bind_rating(&q, rating);
    sql_bind_int(&q, season);
    return sql_run(&q);
}

enum storage_result storage_ratings_delete(struct storage *storage, int64_t account,
                                           const char *game)
{
    struct sql all = sql_write(storage, "DELETE FROM ratings WHERE account = ? AND game = ?");

    sql_bind_int(&all, account);
    sql_bind_text(&all, game, STORAGE_WORD_SIZE);
    const enum storage_result result = sql_run(&all);
    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_write(storage, "DELETE FROM season_ratings WHERE account = ? AND game = ?");
    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    return sql_run(&q);
}

enum storage_result storage_ratings_each(struct storage *storage, int64_t account,
                                         storage_rating_row *row, void *context)
{
    struct sql q =
        sql_read(storage, SELECT_RATINGS("ratings") " AND games > 0"
                                                    " ORDER BY games DESC, rated_ms DESC");

    sql_bind_int(&q, account);
    return each_rating(&q, row, context);
}

enum storage_result storage_rating_change_add(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    struct sql q =
        sql_write(storage, ROW_INSERT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS));

    bind_change(&q, change);
    return sql_run(&q);
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
    return sql_run_on_row(&q);
}

enum storage_result storage_rating_changes_delete(struct storage *storage, int64_t game_id)
{
    struct sql q = sql_write(storage, "DELETE FROM rating_changes WHERE game_id = ?");

    sql_bind_int(&q, game_id);
    return sql_run(&q);
}

enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count)
{
    struct sql q = sql_read(storage, SELECT_CHANGES "game_id = ? ORDER BY seat");

    *count = 0;
    sql_bind_int(&q, game_id);
    while (*count < capacity && sql_row(&q)) {
        take_change(&q, &changes[(*count)++]);
    }
    return sql_end(&q);
}

enum storage_result storage_rating_changes_each(struct storage *storage,
                                                const struct storage_course *course,
                                                storage_rating_change_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_CHANGES "account = ? AND game = ? AND at_ms >= ?"
                                                    " ORDER BY at_ms, game_id LIMIT ?");

    sql_bind_int(&q, course->account);
    sql_bind_text(&q, course->game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, course->since_ms);
    sql_bind_int(&q, (int64_t)course->count);
    return each_change(&q, row, context);
}

enum storage_result storage_rating_read_last_mus(struct storage *storage, int64_t account,
                                                 const char *game, double *mus, size_t capacity,
                                                 size_t *count)
{
    /* The index rating_changes_of_account answers this query alone. */
    struct sql q = sql_read(storage, "SELECT mu_before FROM rating_changes"
                                     " WHERE account = ? AND game = ? ORDER BY at_ms DESC LIMIT ?");

    *count = 0;
    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, (int64_t)capacity);
    while (*count < capacity && sql_row(&q)) {
        mus[(*count)++] = sql_real(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_rating_changes_count(struct storage *storage, int64_t account,
                                                 const char *game, int64_t until_ms, uint32_t most,
                                                 uint32_t *count)
{
    /* The index rating_changes_of_account answers this query alone. */
    struct sql q = sql_read(storage, "SELECT count(*) FROM (SELECT 1 FROM rating_changes"
                                     " WHERE account = ? AND game = ? AND at_ms <= ? LIMIT ?)");

    *count = 0;
    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, until_ms);
    sql_bind_int(&q, most);
    if (sql_first(&q)) {
        *count = (uint32_t)sql_int(&q);
    }
    return sql_end(&q);
}
