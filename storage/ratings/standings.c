#include "storage/ratings/ratings.h"

enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing)
{
    const int64_t listed_until = standing->is_listed ? standing->listed_until_ms : 0;
    const bool ends_first =
        listed_until != 0 && (standing->gone_ms == 0 || listed_until < standing->gone_ms);

    /* not ON CONFLICT: PostgreSQL uses up a number for each row that it does not insert */
    RETURN_FAILURE(sql_run_deferred(
        SQL_WRITE(storage,
                  "INSERT INTO boards (game, span, players, is_bot) SELECT ?1, ?2, ?3, a.is_bot"
                  " FROM (SELECT CASE kind WHEN 1 THEN 1 ELSE 0 END AS is_bot FROM accounts"
                  " WHERE id = ?4) AS a WHERE NOT EXISTS (SELECT 1 FROM boards b WHERE b.game = ?1"
                  " AND b.span = ?2 AND b.players = ?3 AND b.is_bot = a.is_bot)",
                  SQL_TEXT(standing->board.game, STORAGE_WORD_SIZE), SQL_INT(standing->board.span),
                  SQL_INT(standing->board.players), SQL_INT(standing->account))));
    struct sql *q = SQL_WRITE(
        storage,
        "INSERT INTO standings (account, board, class, mu, until_ms, gone_ms, " LEADER_LINES_SUMS
        ") SELECT a.id, b.id, ?5 | CASE a.is_held WHEN 0 THEN 0 ELSE 2 END, ?6, ?7, "
        "?8, " LEADER_LINES_SUMS
        " FROM accounts a JOIN boards b ON b.game = ?2 AND b.span = ?3 AND b.players = ?4"
        " AND b.is_bot = CASE a.kind WHEN 1 THEN 1 ELSE 0 END LEFT JOIN tallies t ON t.account = "
        "a.id AND t.game = b.game"
        " AND t.span = b.span AND t.players = b.players WHERE a.id = ?1"
        " ON CONFLICT (account, board) DO UPDATE SET class = excluded.class, mu = excluded.mu,"
        " until_ms = excluded.until_ms, gone_ms = excluded.gone_ms, last_ms = excluded.last_ms,"
        " games = excluded.games, wins = excluded.wins, place_sum = excluded.place_sum,"
        " stat_hits = excluded.stat_hits, stat_chances = excluded.stat_chances,"
        " finished = excluded.finished, \"left\" = excluded.\"left\"",
        SQL_INT(standing->account), SQL_TEXT(standing->board.game, STORAGE_WORD_SIZE),
        SQL_INT(standing->board.span), SQL_INT(standing->board.players),
        SQL_INT(standing->is_listed), SQL_REAL(standing->mu),
        SQL_ID(ends_first ? listed_until : standing->gone_ms), SQL_ID(standing->gone_ms));
    const enum storage_result put = sql_run_change(q);
    return put == STORAGE_NOT_FOUND ? STORAGE_REFUSED : put; /* there is no such account */
}

enum storage_result storage_standings_delete(struct storage *storage, int64_t account,
                                             const char *game)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM standings WHERE account = ?"
                             " AND board IN (SELECT id FROM boards WHERE game = ?)",
                             SQL_INT(account), SQL_TEXT(game, STORAGE_WORD_SIZE)));
}

static enum storage_result delete_standings_that_leave_boards(struct storage *storage,
                                                              int64_t now_ms, size_t max_count)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM standings WHERE (account, board) IN"
                             " (SELECT account, board FROM standings WHERE until_ms <= ?1"
                             " AND gone_ms <= ?1 ORDER BY until_ms LIMIT ?2)",
                             SQL_INT(now_ms), SQL_INT((int64_t)max_count)));
}

static enum storage_result unlist_standings_that_stop_qualifying(struct storage *storage,
                                                                 int64_t now_ms, size_t max_count)
{
    return sql_run(SQL_WRITE(storage,
                             "UPDATE standings SET class = class & 2, until_ms = gone_ms"
                             " WHERE (account, board) IN (SELECT account, board FROM standings"
                             " WHERE until_ms <= ? ORDER BY until_ms LIMIT ?)",
                             SQL_INT(now_ms), SQL_INT((int64_t)max_count)));
}

static enum storage_result read_time_of_next_due_standing(struct storage *storage,
                                                          int64_t *next_due_ms)
{
    struct sql q = sql_read(storage, "SELECT until_ms FROM standings WHERE until_ms IS NOT NULL"
                                     " ORDER BY until_ms LIMIT 1");

    return statement_read_number_or(&q, INT64_MAX, next_due_ms);
}

enum storage_result storage_standings_update_due(struct storage *storage, int64_t now_ms,
                                                 size_t max_count, int64_t *next_due_ms)
{
    RETURN_FAILURE(read_time_of_next_due_standing(storage, next_due_ms));
    if (*next_due_ms > now_ms) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(delete_standings_that_leave_boards(storage, now_ms, max_count));
    RETURN_FAILURE(unlist_standings_that_stop_qualifying(storage, now_ms, max_count));
    return read_time_of_next_due_standing(storage, next_due_ms);
}
