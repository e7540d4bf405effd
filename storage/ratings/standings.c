#include "storage/ratings/standings.h"

#include "storage/ratings/leader_lines.h"

enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing)
{
    const int64_t listed_until = standing->is_listed ? standing->listed_until_ms : 0;
    const bool ends_first =
        listed_until != 0 && (standing->gone_ms == 0 || listed_until < standing->gone_ms);
    struct sql board = sql_write(storage, "INSERT OR IGNORE INTO boards"
                                          " (game, span, players, is_bot)"
                                          " SELECT ?, ?, ?, kind = 1 FROM accounts WHERE id = ?");

    sql_bind_text(&board, standing->board.game, STORAGE_WORD_SIZE);
    sql_bind_int(&board, standing->board.span);
    sql_bind_int(&board, standing->board.players);
    sql_bind_int(&board, standing->account);
    const enum storage_result result = sql_run(&board);
    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_write(
        storage,
        "INSERT INTO standings (account, board, class, mu, until_ms, gone_ms, " LEADER_LINES_SUMS
        ") SELECT a.id, b.id, ?5 | iif(a.is_held, 2, 0), ?6, ?7, ?8, " LEADER_LINES_SUMS
        " FROM accounts a JOIN boards b ON b.game = ?2 AND b.span = ?3 AND b.players = ?4"
        " AND b.is_bot = (a.kind = 1) LEFT JOIN tallies t ON t.account = a.id AND t.game = b.game"
        " AND t.span = b.span AND t.players = b.players WHERE a.id = ?1"
        " ON CONFLICT DO UPDATE SET class = excluded.class, mu = excluded.mu,"
        " until_ms = excluded.until_ms, gone_ms = excluded.gone_ms, last_ms = excluded.last_ms,"
        " games = excluded.games, wins = excluded.wins, place_sum = excluded.place_sum,"
        " stat_hits = excluded.stat_hits, stat_chances = excluded.stat_chances,"
        " finished = excluded.finished, \"left\" = excluded.\"left\"");
    sql_bind_int(&q, standing->account);
    sql_bind_text(&q, standing->board.game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, standing->board.span);
    sql_bind_int(&q, standing->board.players);
    sql_bind_int(&q, standing->is_listed);
    sql_bind_real(&q, standing->mu);
    sql_bind_id(&q, ends_first ? listed_until : standing->gone_ms);
    sql_bind_id(&q, standing->gone_ms);
    const enum storage_result put = sql_run_on_row(&q);
    return put == STORAGE_NOT_FOUND ? STORAGE_REFUSED : put; /* there is no such account */
}

enum storage_result storage_standings_delete(struct storage *storage, int64_t account,
                                             const char *game)
{
    struct sql q = sql_write(storage, "DELETE FROM standings WHERE account = ?"
                                      " AND board IN (SELECT id FROM boards WHERE game = ?)");

    sql_bind_int(&q, account);
    sql_bind_text(&q, game, STORAGE_WORD_SIZE);
    return sql_run(&q);
}

static enum storage_result remove_due_standings(struct storage *storage, int64_t now_ms,
                                                size_t count)
{
    struct sql q = sql_write(storage, "DELETE FROM standings WHERE (account, board) IN"
                                      " (SELECT account, board FROM standings WHERE until_ms <= ?1"
                                      " AND gone_ms <= ?1 ORDER BY until_ms LIMIT ?2)");

    sql_bind_int(&q, now_ms);
    sql_bind_int(&q, (int64_t)count);
    return sql_run(&q);
}

static enum storage_result unlist_due_standings(struct storage *storage, int64_t now_ms,
                                                size_t count)
{
    struct sql q =
        sql_write(storage, "UPDATE standings SET class = class & 2, until_ms = gone_ms"
                           " WHERE (account, board) IN (SELECT account, board FROM standings"
                           " WHERE until_ms <= ? ORDER BY until_ms LIMIT ?)");

    sql_bind_int(&q, now_ms);
    sql_bind_int(&q, (int64_t)count);
    return sql_run(&q);
}

static enum storage_result read_next_due(struct storage *storage, int64_t *next_ms)
{
    struct sql q = sql_read(storage, "SELECT until_ms FROM standings WHERE until_ms IS NOT NULL"
                                     " ORDER BY until_ms LIMIT 1");

    *next_ms = INT64_MAX;
    if (sql_first(&q)) {
        *next_ms = sql_int(&q);
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

enum storage_result storage_standings_expire(struct storage *storage, int64_t now_ms, size_t count,
                                             int64_t *next_ms)
{
    enum storage_result result = read_next_due(storage, next_ms);

    if (result != STORAGE_OK || *next_ms > now_ms) {
        return result;
    }
    result = remove_due_standings(storage, now_ms, count);
    if (result == STORAGE_OK) {
        result = unlist_due_standings(storage, now_ms, count);
    }
    return result == STORAGE_OK ? read_next_due(storage, next_ms) : result;
}
