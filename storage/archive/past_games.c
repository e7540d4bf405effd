#include "storage/archive/archive.h"

#include "storage/sql/sql.h"

/* Reads the scores of a game into its array `scores`; the column `own` of the query's result is an
 * index into this array. */
static enum storage_result read_scores(struct storage *storage, struct storage_past_game *past_game)
{
    return storage_scores_read(storage, past_game->game_id, past_game->scores, STORAGE_SCORES_MAX,
                               &past_game->score_count);
}

/* Selects the columns of a struct storage_past_game; the caller appends a condition on the player.
 * One player may have several scores in a game, but the values of its other columns are the same.
 * The unary plus keeps SQLite from searching all rating changes of the account for each game. */
#define PLAYED_OF                                                                                  \
    "SELECT s.game_id, min(s.n), min(g.game), min(g.finished_ms), min(g.is_rated),"                \
    " max(c.game_id) IS NOT NULL, min(c.mu_after - c.mu_before)"                                   \
    " FROM scores s JOIN games g ON g.id = s.game_id"                                              \
    " LEFT JOIN rating_changes c ON c.game_id = s.game_id AND +c.account = s.account WHERE "
#define PLAYED_BEFORE                                                                              \
    " AND s.game_id < ? AND g.state = 1 GROUP BY s.game_id ORDER BY s.game_id DESC LIMIT ?"

/* Passes each game that the query returns to the callback `row`. */
static enum storage_result call_row_for_each_game(struct storage *storage, struct sql *q,
                                                  storage_past_game_row *row, void *context)
{
    struct storage_past_game played;
    bool goes_on = true;

    while (goes_on && sql_next_row(q)) {
        played = (struct storage_past_game){.game_id = sql_read_int(q)};
        played.own = (uint8_t)sql_read_enum(q, STORAGE_SCORES_MAX - 1);
        sql_read_text(q, played.game, sizeof played.game);
        played.finished_ms = sql_read_int(q);
        played.is_rated = sql_read_int(q) != 0;
        played.has_change = sql_read_int(q) != 0;
        played.change_mu = sql_read_real(q);
        const enum storage_result filled = read_scores(storage, &played);
        if (filled != STORAGE_OK) {
            q->result = filled;
            break;
        }
        goes_on = row(context, &played);
    }
    return sql_end(q);
}

enum storage_result storage_past_games_by_account(struct storage *storage, int64_t account,
                                                  int64_t before_id, size_t max_games,
                                                  storage_past_game_row *row, void *context)
{
    struct sql *q = SQL_READ(storage, PLAYED_OF "s.account = ?" PLAYED_BEFORE, SQL_INT(account),
                             SQL_INT(before_id), SQL_INT((int64_t)max_games));

    return call_row_for_each_game(storage, q, row, context);
}

enum storage_result storage_past_games_by_guest(struct storage *storage, const char *name,
                                                int64_t before_id, size_t max_games,
                                                storage_past_game_row *row, void *context)
{
    struct sql *q = SQL_READ(
        storage, PLAYED_OF "s.account IS NULL AND s.holder = 2 AND s.name = ?" PLAYED_BEFORE,
        SQL_TEXT(name, STORAGE_NAME_SIZE), SQL_INT(before_id), SQL_INT((int64_t)max_games));
    _Static_assert(STORAGE_SEAT_GUEST == 2, "the SQL index scores_of_guest repeats the number 2");

    return call_row_for_each_game(storage, q, row, context);
}

enum storage_result storage_past_games_find_next_rated(struct storage *storage, const char *game,
                                                       const struct storage_ended_game *after,
                                                       struct storage_ended_game *next)
{
    struct sql *q =
        SQL_READ(storage,
                 "SELECT id, finished_ms FROM games WHERE game = ?1"
                 " AND is_rated = 1 AND (finished_ms, id) > (?2, ?3)"
                 " ORDER BY finished_ms, id LIMIT 1",
                 SQL_TEXT(game, STORAGE_WORD_SIZE), SQL_INT(after->at_ms), SQL_INT(after->game_id));

    if (sql_first_row(q)) {
        next->game_id = sql_read_int(q);
        next->at_ms = sql_read_int(q);
    }
    return sql_end(q);
}

enum storage_result storage_finished_games_each(struct storage *storage, int64_t after_id,
                                                storage_finished_game_row *row, void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage, "SELECT id FROM games WHERE id > ? AND state = ? ORDER BY id",
                             SQL_INT(after_id), SQL_INT(STORAGE_GAME_FINISHED));

    while (goes_on && sql_next_row(q)) {
        goes_on = row(context, sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result storage_past_games_find_highest_rated(struct storage *storage, int64_t from_ms,
                                                          int64_t until_ms, int64_t *game)
{
    return statement_read_number(SQL_READ(storage,
                                          "SELECT g.id FROM games g"
                                          " JOIN rating_changes c ON c.game_id = g.id"
                                          " WHERE g.state = 1 AND g.finished_ms BETWEEN ? AND ?"
                                          " GROUP BY g.id ORDER BY avg(c.mu_before) DESC, g.id DESC"
                                          " LIMIT 1",
                                          SQL_INT(from_ms), SQL_INT(until_ms)),
                                 game);
}
