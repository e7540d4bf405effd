#include "storage/ratings/ratings.h"

#include "storage/ratings/rating_rows.h"
#include "storage/sql/sql.h"

void rating_rows_take(struct sql *q, struct storage_rating *rating)
{
    *rating = (struct storage_rating){.account = sql_int(q)};
    sql_text(q, rating->game, sizeof rating->game);
    rating->mu = sql_real(q);
    rating->sigma = sql_real(q);
    rating->rated_ms = sql_int(q);
    rating->games = (uint32_t)sql_int(q);
    rating->wins = sql_real(q);
    rating->place_sum = sql_real(q);
    rating->stat_hits = (uint32_t)sql_int(q);
    rating->stat_chances = (uint32_t)sql_int(q);
    rating->finished = (uint32_t)sql_int(q);
    rating->left = (uint32_t)sql_int(q);
    rating->streak = (int32_t)sql_int(q);
    rating->best_mu = sql_real(q);
    rating->best_ms = sql_int(q);
}

static enum storage_result finish_rating(struct sql *q, struct storage_rating *rating)
{
    if (sql_first(q)) {
        rating_rows_take(q, rating);
    }
    return sql_end(q);
}

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        struct storage_rating *rating)
{
    struct sql q = sql_read(storage, "SELECT " RATING_ROWS_COLUMNS
                                     " FROM ratings r WHERE account = ? AND game = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    return finish_rating(&q, rating);
}

enum storage_result storage_rating_most_played(struct storage *storage, int64_t account,
                                               struct storage_rating *rating)
{
    struct sql q = sql_read(storage, "SELECT " RATING_ROWS_COLUMNS
                                     " FROM ratings r WHERE account = ? AND games > 0"
                                     " ORDER BY games DESC, rated_ms DESC LIMIT 1");

    sql_bind_int(&q, account);
    return finish_rating(&q, rating);
}

enum storage_result storage_season_read(struct storage *storage, int64_t account, const char *game,
                                        int32_t season, struct storage_rating *rating)
{
    struct sql q = sql_read(storage, "SELECT " RATING_ROWS_COLUMNS " FROM season_ratings r"
                                     " WHERE account = ? AND game = ? AND season = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, season);
    return finish_rating(&q, rating);
}

static void bind_rating(struct sql *q, const struct storage_rating *rating)
{
    sql_bind_real(q, rating->mu);
    sql_bind_real(q, rating->sigma);
    sql_bind_int(q, rating->rated_ms);
    sql_bind_int(q, rating->games);
    sql_bind_real(q, rating->wins);
    sql_bind_real(q, rating->place_sum);
    sql_bind_int(q, rating->stat_hits);
    sql_bind_int(q, rating->stat_chances);
    sql_bind_int(q, rating->finished);
    sql_bind_int(q, rating->left);
    sql_bind_int(q, rating->streak);
    sql_bind_real(q, rating->best_mu);
    sql_bind_int(q, rating->best_ms);
}

enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating)
{
    /* An account that is not there makes is_bot NULL, which is refused. */
    struct sql q = sql_write(
        storage, "INSERT OR REPLACE INTO ratings (account, game, is_bot, mu, sigma, rated_ms,"
                 " games, wins, place_sum, stat_hits, stat_chances, finished, \"left\", streak,"
                 " best_mu, best_ms) VALUES (?1, ?2, (SELECT kind = 1 FROM accounts WHERE id = ?1),"
                 " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, rating->account);
    sql_bind_text(&q, rating->game, sizeof rating->game);
    bind_rating(&q, rating);
    return sql_run(&q);
}

enum storage_result storage_season_save(struct storage *storage, int32_t season,
                                        const struct storage_rating *rating)
{
    struct sql q = sql_write(
        storage, "INSERT OR REPLACE INTO season_ratings (account, game, season, mu, sigma,"
                 " rated_ms, games, wins, place_sum, stat_hits, stat_chances, finished, \"left\","
                 " streak, best_mu, best_ms)"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, rating->account);
    sql_bind_text(&q, rating->game, sizeof rating->game);
    sql_bind_int(&q, season);
    bind_rating(&q, rating);
    return sql_run(&q);
}

enum storage_result storage_ratings_drop(struct storage *storage, int64_t account, const char *game)
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
    bool goes_on = true;
    struct storage_rating rating;
    struct sql q = sql_read(storage, "SELECT " RATING_ROWS_COLUMNS " FROM ratings r"
                                     " WHERE account = ? AND games > 0"
                                     " ORDER BY games DESC, rated_ms DESC");

    sql_bind_int(&q, account);
    while (goes_on && sql_row(&q)) {
        rating_rows_take(&q, &rating);
        goes_on = row(context, &rating);
    }
    return sql_end(&q);
}

#define CHANGE_COLUMNS                                                                             \
    "game_id, seat, account, game, mu_before, sigma_before, mu_after, sigma_after, at_ms, "        \
    "players, rank, win, stat_hits, stat_chances, has_left, is_bot, season, season_mu_before, "    \
    "season_sigma_before, season_mu_after, season_sigma_after"

static void take_change(struct sql *q, struct storage_rating_change *change)
{
    *change = (struct storage_rating_change){.game_id = sql_int(q)};
    change->seat = (uint8_t)sql_int(q);
    change->account = sql_int(q);
    sql_text(q, change->game, sizeof change->game);
    change->mu_before = sql_real(q);
    change->sigma_before = sql_real(q);
    change->mu_after = sql_real(q);
    change->sigma_after = sql_real(q);
    change->at_ms = sql_int(q);
    change->players = (uint8_t)sql_int(q);
    change->rank = (uint8_t)sql_int(q);
    change->win = sql_real(q);
    change->stat_hits = (uint32_t)sql_int(q);
    change->stat_chances = (uint32_t)sql_int(q);
    change->has_left = sql_int(q) != 0;
    change->is_bot = sql_int(q) != 0;
    change->season = (int32_t)sql_int(q);
    change->season_mu_before = sql_real(q);
    change->season_sigma_before = sql_real(q);
    change->season_mu_after = sql_real(q);
    change->season_sigma_after = sql_real(q);
}

enum storage_result storage_rating_change_add(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    struct sql q = sql_write(storage, "INSERT INTO rating_changes (" CHANGE_COLUMNS ", by) VALUES"
                                      " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                                      " ?, ?, ?)");

    sql_bind_int(&q, change->game_id);
    sql_bind_int(&q, change->seat);
    sql_bind_int(&q, change->account);
    sql_bind_text(&q, change->game, sizeof change->game);
    sql_bind_real(&q, change->mu_before);
    sql_bind_real(&q, change->sigma_before);
    sql_bind_real(&q, change->mu_after);
    sql_bind_real(&q, change->sigma_after);
    sql_bind_int(&q, change->at_ms);
    sql_bind_int(&q, change->players);
    sql_bind_int(&q, change->rank);
    sql_bind_real(&q, change->win);
    sql_bind_int(&q, change->stat_hits);
    sql_bind_int(&q, change->stat_chances);
    sql_bind_int(&q, change->has_left);
    sql_bind_int(&q, change->is_bot);
    sql_bind_int(&q, change->season);
    sql_bind_real(&q, change->season_mu_before);
    sql_bind_real(&q, change->season_sigma_before);
    sql_bind_real(&q, change->season_mu_after);
    sql_bind_real(&q, change->season_sigma_after);
    sql_bind_text(&q, change->by, sizeof change->by);
    return sql_run(&q);
}

enum storage_result storage_rating_change_set(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    struct sql q =
        sql_write(storage, "UPDATE rating_changes SET mu_before = ?, sigma_before = ?,"
                           " mu_after = ?, sigma_after = ?, season_mu_before = ?,"
                           " season_sigma_before = ?, season_mu_after = ?, season_sigma_after = ?,"
                           " by = ? WHERE game_id = ? AND seat = ?");

    sql_bind_real(&q, change->mu_before);
    sql_bind_real(&q, change->sigma_before);
    sql_bind_real(&q, change->mu_after);
    sql_bind_real(&q, change->sigma_after);
    sql_bind_real(&q, change->season_mu_before);
    sql_bind_real(&q, change->season_sigma_before);
    sql_bind_real(&q, change->season_mu_after);
    sql_bind_real(&q, change->season_sigma_after);
    sql_bind_text(&q, change->by, sizeof change->by);
    sql_bind_int(&q, change->game_id);
    sql_bind_int(&q, change->seat);
    return sql_run_on_row(&q);
}

enum storage_result storage_rating_changes_drop(struct storage *storage, int64_t game_id)
{
    struct sql q = sql_write(storage, "DELETE FROM rating_changes WHERE game_id = ?");

    sql_bind_int(&q, game_id);
    return sql_run(&q);
}

enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count)
{
    struct sql q = sql_read(storage, "SELECT " CHANGE_COLUMNS ", by FROM rating_changes"
                                     " WHERE game_id = ? ORDER BY seat");

    *count = 0;
    sql_bind_int(&q, game_id);
    while (*count < capacity && sql_row(&q)) {
        struct storage_rating_change *change = &changes[(*count)++];
        take_change(&q, change);
        sql_text(&q, change->by, sizeof change->by);
    }
    return sql_end(&q);
}

enum storage_result storage_rating_course(struct storage *storage,
                                          const struct storage_course *course,
                                          storage_rating_change_row *row, void *context)
{
    bool goes_on = true;
    struct storage_rating_change change;
    struct sql q = sql_read(storage, "SELECT " CHANGE_COLUMNS " FROM rating_changes"
                                     " WHERE account = ? AND game = ? AND at_ms >= ?"
                                     " ORDER BY at_ms, game_id LIMIT ?");

    sql_bind_int(&q, course->account);
    sql_bind_text(&q, course->game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, course->since_ms);
    sql_bind_int(&q, (int64_t)course->count);
    while (goes_on && sql_row(&q)) {
        take_change(&q, &change);
        goes_on = row(context, &change);
    }
    return sql_end(&q);
}

enum storage_result storage_rating_trail(struct storage *storage, int64_t account, const char *game,
                                         double *mus, size_t capacity, size_t *count)
{
    /* All in the index rating_changes_of_account. */
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
    /* All in the index rating_changes_of_account. */
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
