#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"

ROWS_TAKING(rating, struct storage_rating, STORAGE_RATING_ALL_COLUMNS);

#define DAY_MS INT64_C(86400000)
#define WEEK_DAYS 7
#define MONTH_DAYS 30

bool leader_lines_is_week_or_month(const struct storage_board *board)
{
    return board->span == STORAGE_SPAN_MONTH || board->span == STORAGE_SPAN_WEEK;
}

int32_t leader_lines_get_span(const struct storage_board *board)
{
    return leader_lines_is_week_or_month(board) ? STORAGE_SPAN_ALL : board->span;
}

/* Makes a tally from the rating's counters, for a board that counts all games of the rating. */
static struct storage_tally make_tally_of_rating(const struct storage_rating *rating)
{
    return (struct storage_tally){
        .last_ms = rating->rated_ms,
        .games = rating->games,
        .wins = rating->wins,
        .place_sum = rating->place_sum,
        .stat_hits = rating->stat_hits,
        .stat_chances = rating->stat_chances,
        .finished = rating->finished,
        .left = rating->left,
    };
}

static enum storage_result read_leader_line(struct storage *storage,
                                            const struct storage_listing *listing,
                                            const struct leader_line *line,
                                            struct storage_leader *leader)
{
    /* The weekly change is mu now minus mu at the start of the week, seven days before today. When
     * the last game ended N days after that start, the column from_N has the mu of that start. */
    struct sql *q = SQL_READ(
        storage,
        "SELECT account, ?1, " ROW_NAMES(
            STORAGE_RATING_NUMBER_COLUMNS) ", r.name, r.kind, r.role,"
                                           " CASE WHEN ?2 > 0 AND ?2 < (SELECT max(span) FROM "
                                           "boards WHERE game = ?1)"
                                           " THEN (SELECT a.seen_ms FROM accounts a WHERE a.id = "
                                           "r.account) ELSE r.seen_ms END,"
                                           " r.mu - coalesce(CASE ?3 + r.rated_ms / 86400000 WHEN "
                                           "0 THEN r.from_0 WHEN 1 THEN r.from_1 "
                                           "WHEN 2 THEN r.from_2 WHEN 3 THEN r.from_3"
                                           " WHEN 4 THEN r.from_4 WHEN 5 THEN r.from_5 "
                                           "WHEN 6 THEN r.from_6 ELSE CASE WHEN ?3 + r.rated_ms / "
                                           "86400000 >= 7 THEN r.from_7 END END,"
                                           " r.mu) FROM leader_lines r"
                                           " WHERE r.board = ? AND r.class = ? AND r.mu = "
                                           "? AND r.account = ?",
        SQL_TEXT(listing->board.game, STORAGE_WORD_SIZE),
        SQL_INT(leader_lines_get_span(&listing->board)),
        SQL_INT(WEEK_DAYS - listing->now_ms / DAY_MS), SQL_INT(line->board), SQL_INT(line->class),
        SQL_REAL(line->mu), SQL_INT(line->account));

    if (sql_first_row(q)) {
        take_rating(q, &leader->rating);
        sql_read_text(q, leader->name, sizeof leader->name);
        leader->kind = (uint8_t)sql_read_enum(q, STORAGE_KIND_LAST);
        leader->role = (uint8_t)sql_read_enum(q, STORAGE_ROLE_LAST);
        leader->seen_ms = sql_read_int(q);
        leader->change_week_mu = sql_read_real(q);
        leader->tally = make_tally_of_rating(&leader->rating);
    }
    return sql_end(q);
}

/* Looks up the account's current class and mu on the board. */
static enum storage_result find_current_line_key(struct storage *storage, struct leader_line *line)
{
    struct sql *q =
        SQL_READ(storage, "SELECT class, mu FROM standings WHERE account = ? AND board = ?",
                 SQL_INT(line->account), SQL_INT(line->board));

    if (sql_first_row(q)) {
        line->class = sql_read_int(q);
        line->mu = sql_read_real(q);
    }
    return sql_end(q);
}

enum storage_result leader_lines_read(struct storage *storage,
                                      const struct storage_listing *listing,
                                      const struct leader_line *line, struct storage_leader *leader)
{
    struct leader_line other = *line;

    *leader = (struct storage_leader){0};
    enum storage_result result = read_leader_line(storage, listing, line, leader);
    if (result == STORAGE_NOT_FOUND) {
        /* When standings become due, this board and the board that stores the lines change in
         * different calls, so the two may differ for a while. */
        result = find_current_line_key(storage, &other);
        if (result == STORAGE_OK) {
            result = read_leader_line(storage, listing, &other, leader);
        }
    }
    return result;
}

void leader_lines_read_sums(struct sql *q, struct storage_tally *row)
{
    STORAGE_TALLY_COLUMNS(ROW_TAKE, ROW_TAKE)
}

enum storage_result leader_lines_sum_tally(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           struct storage_tally *tally)
{
    const struct storage_board *board = &listing->board;
    const bool is_window = leader_lines_is_week_or_month(board);
    const int64_t days = board->span == STORAGE_SPAN_MONTH ? MONTH_DAYS : WEEK_DAYS;
    struct sql *q = SQL_READ(storage,
                             "SELECT max(last_ms), sum(games), sum(wins), sum(place_sum),"
                             " sum(stat_hits), sum(stat_chances), sum(finished),"
                             " sum(\"left\") FROM tallies WHERE account = ?1 AND game = ?2"
                             " AND span BETWEEN ?3 AND ?4 AND (?5 = 0 OR players = ?5)",
                             SQL_INT(account), SQL_TEXT(board->game, STORAGE_WORD_SIZE),
                             SQL_INT(is_window ? -(listing->now_ms / DAY_MS) : board->span),
                             SQL_INT(is_window ? -(listing->now_ms / DAY_MS - days) : board->span),
                             SQL_INT(board->players));

    if (sql_first_row(q)) {
        leader_lines_read_sums(q, tally);
    }
    return sql_end(q);
}
