#include "storage/ratings.h"

#include "storage/rating_rows.h"
#include "storage/sql.h"

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
    sql_bind_real(&q, rating->mu);
    sql_bind_real(&q, rating->sigma);
    sql_bind_int(&q, rating->rated_ms);
    sql_bind_int(&q, rating->games);
    sql_bind_real(&q, rating->wins);
    sql_bind_real(&q, rating->place_sum);
    sql_bind_int(&q, rating->stat_hits);
    sql_bind_int(&q, rating->stat_chances);
    sql_bind_int(&q, rating->finished);
    sql_bind_int(&q, rating->left);
    sql_bind_int(&q, rating->streak);
    sql_bind_real(&q, rating->best_mu);
    sql_bind_int(&q, rating->best_ms);
    return sql_run(&q);
}

enum storage_result storage_rating_change_add(struct storage *storage,
                                              const struct storage_rating_change *change)
{
    struct sql q = sql_write(storage, "INSERT INTO rating_changes (game_id, seat, account, game,"
                                      " mu_before, sigma_before, mu_after, sigma_after, at_ms, by)"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, change->game_id);
    sql_bind_int(&q, change->seat);
    sql_bind_int(&q, change->account);
    sql_bind_text(&q, change->game, sizeof change->game);
    sql_bind_real(&q, change->mu_before);
    sql_bind_real(&q, change->sigma_before);
    sql_bind_real(&q, change->mu_after);
    sql_bind_real(&q, change->sigma_after);
    sql_bind_int(&q, change->at_ms);
    sql_bind_text(&q, change->by, sizeof change->by);
    return sql_run(&q);
}

enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count)
{
    struct sql q = sql_read(storage, "SELECT seat, account, game, mu_before, sigma_before,"
                                     " mu_after, sigma_after, at_ms, by FROM rating_changes"
                                     " WHERE game_id = ? ORDER BY seat");

    *count = 0;
    sql_bind_int(&q, game_id);
    while (*count < capacity && sql_row(&q)) {
        struct storage_rating_change *change = &changes[(*count)++];
        *change = (struct storage_rating_change){.game_id = game_id};
        change->seat = (uint8_t)sql_int(&q);
        change->account = sql_int(&q);
        sql_text(&q, change->game, sizeof change->game);
        change->mu_before = sql_real(&q);
        change->sigma_before = sql_real(&q);
        change->mu_after = sql_real(&q);
        change->sigma_after = sql_real(&q);
        change->at_ms = sql_int(&q);
        sql_text(&q, change->by, sizeof change->by);
    }
    return sql_end(&q);
}
