#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"

#define DAY_MS INT64_C(86400000)
#define DAYS_KEPT 31

ROWS(tally, struct storage_tally, STORAGE_TALLY_COLUMNS);

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

enum storage_result storage_tallies_each(struct storage *storage, int64_t account,
                                         const struct storage_board *board, storage_tally_row *row,
                                         void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(
        storage,
        "SELECT players, " ROW_NAMES(
            STORAGE_TALLY_COLUMNS) " FROM tallies"
                                   " WHERE account = ? AND game = ? AND span = ? AND games > 0"
                                   " ORDER BY players",
        SQL_INT(account), SQL_TEXT(board->game, STORAGE_WORD_SIZE), SQL_INT(board->span));

    while (goes_on && sql_next_row(q)) {
        const uint8_t players = (uint8_t)sql_read_int(q);
        struct storage_tally tally;
        take_tally(q, &tally);
        goes_on = row(context, players, &tally);
    }
    return sql_end(q);
}
