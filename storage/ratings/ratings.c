#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"

ROWS(rating, struct storage_rating, STORAGE_RATING_COLUMNS);
ROWS(rating_change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROWS_BINDING(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);
ROWS(standing, struct storage_standing, STORAGE_STANDING_COLUMNS);
ROWS_TAKING(mu, struct storage_mu, STORAGE_MU_COLUMNS);
ROWS_READING(mu, struct storage_mu);
ROWS(refund_sum, struct storage_refund_sum, STORAGE_REFUND_SUM_COLUMNS);
ROWS_BINDING(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

#define SELECT_RATINGS ROW_SELECT("ratings", STORAGE_RATING_COLUMNS) " WHERE account = ?"
#define BY_GAMES " AND season = 0 AND games > 0 ORDER BY games DESC, rated_ms DESC, game"
#define SELECT_CHANGES ROW_SELECT("rating_changes", STORAGE_RATING_CHANGE_ALL_COLUMNS) " WHERE "

#define STATEMENT STATEMENT_DEFINED
#include "storage/ratings/ratings.def"

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

#define DAY_MS INT64_C(86400000)
#define DAYS_KEPT 31

double storage_rating_change_place(const struct storage_rating_change *change)
{
    if (change->has_left || change->players < 2) {
        return change->has_left ? 0.0 : 1.0;
    }
    return (double)(change->players - change->rank) / (double)(change->players - 1);
}

static enum storage_result add_to_tally(struct storage *storage,
                                        const struct storage_rating_change *change, int64_t span,
                                        int sign)
{
    return sql_run_deferred(SQL_WRITE(
        storage, "INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" TALLIES_ADD_UP,
        SQL_INT(change->account), SQL_TEXT(change->game, sizeof change->game), SQL_INT(span),
        SQL_INT(change->players), SQL_INT(change->at_ms), SQL_INT(sign),
        SQL_REAL(sign * change->win), SQL_REAL(sign * storage_rating_change_place(change)),
        SQL_INT(sign * (int64_t)change->stat_hits), SQL_INT(sign * (int64_t)change->stat_chances),
        SQL_INT(change->has_left ? 0 : sign), SQL_INT(change->has_left ? sign : 0)));
}

/* Deletes tallies of days that are too old for any board. */
STATEMENT_INSIDE(delete_old_day_tallies, DEFER,
                 "DELETE FROM tallies WHERE account = ? AND game = ?"
                 " AND span < 0 AND span > ?",
                 GIVEN(const struct storage_rating_change *change), VALUE(change->account),
                 WORDS(change->game, STORAGE_WORD_SIZE), VALUE(DAYS_KEPT - change->at_ms / DAY_MS));

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

#define WEEK_DAYS 7
#define MONTH_DAYS 30

int64_t storage_board_days(const struct storage_board *board)
{
    return board->span == STORAGE_SPAN_MONTH  ? MONTH_DAYS
           : board->span == STORAGE_SPAN_WEEK ? WEEK_DAYS
                                              : 0;
}

int32_t storage_board_season(const struct storage_board *board)
{
    return storage_board_days(board) != 0 ? 0 : board->span;
}

/* ?1: the game; ?2: the season, which is also the span of its tallies; ?3, ?4: the first and the
 * last account; ?5: the number of players. An index has all columns of `ratings` that are read. */
#define SELECT_STANDINGS(last_ms, with_tallies)                                                    \
    "SELECT r.account, r.mu, r.sigma, r.rated_ms, r.games,"                                        \
    " CASE a.kind WHEN 1 THEN 1 ELSE 0 END, " last_ms                                              \
    " FROM ratings r JOIN accounts a ON a.id = r.account" with_tallies                             \
    " WHERE r.game = ?1 AND r.season = ?2 AND r.account BETWEEN ?3 AND ?4 AND r.games > 0"         \
    " AND a.is_held = 0 ORDER BY r.account"
#define WITH_TALLIES                                                                               \
    " JOIN tallies t ON t.account = r.account AND t.game = r.game AND t.span = r.season"           \
    " AND t.players = ?5 AND t.games > 0"

enum storage_result storage_standings_each(struct storage *storage,
                                           const struct storage_board *board, int64_t account,
                                           storage_standing_row *row, void *context)
{
    const bool counts_all = board->players == 0;
    struct sql *q =
        SQL_READ(storage,
                 counts_all ? SELECT_STANDINGS("r.rated_ms", "")
                            : SELECT_STANDINGS("t.last_ms", WITH_TALLIES),
                 SQL_TEXT(board->game, STORAGE_WORD_SIZE), SQL_INT(storage_board_season(board)),
                 SQL_INT(account), SQL_INT(account == 0 ? INT64_MAX : account),
                 counts_all ? SQL_NONE : SQL_INT(board->players));

    return each_standing(q, row, context);
}

/* The number of rows that one query reads. A page of more rows takes several queries. */
#define LEADERS_PER_QUERY 20
#define LEADER_ACCOUNTS                                                                            \
    "(?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25," \
    " ?26)"

/* ?1: the game; ?2: the season; ?3, ?4: the first and the last span of the tallies that count; ?5:
 * the number of players, 0: any; ?6: the beginning of the day seven days ago. */
#define LEADER_TALLIES                                                                             \
    "(SELECT max(last_ms) AS t1, sum(games) AS t2, sum(wins) AS t3, sum(place_sum) AS t4,"         \
    " sum(stat_hits) AS t5, sum(stat_chances) AS t6, sum(finished) AS t7, sum(\"left\") AS t8,"    \
    " account AS t9 FROM tallies WHERE account IN " LEADER_ACCOUNTS " AND game = ?1"               \
    " AND span BETWEEN ?3 AND ?4 AND (?5 = 0 OR players = ?5) GROUP BY account) AS t"
#define LEADER_NAMES ROW_NAMES(STORAGE_RATING_COLUMNS)
#define SELECT_LEADERS                                                                             \
    "SELECT " LEADER_NAMES ", a.name, a.kind, a.role, a.seen_ms,"                                  \
    " r.mu - coalesce((SELECT CASE ?2 WHEN 0 THEN c.mu_before ELSE c.season_mu_before END"         \
    " FROM rating_changes c WHERE c.account = r.account AND c.game = r.game AND c.at_ms >= ?6"     \
    " AND ?2 IN (0, c.season) ORDER BY c.at_ms, c.mu_before LIMIT 1), r.mu), t.*"                  \
    " FROM ratings r JOIN accounts a ON a.id = r.account LEFT JOIN " LEADER_TALLIES                \
    " ON t.t9 = r.account WHERE r.account IN " LEADER_ACCOUNTS                                     \
    " AND r.game = ?1 AND r.season = ?2"

static void take_tally(struct sql *q, struct storage_tally *row)
{
    STORAGE_TALLY_COLUMNS(ROW_TAKE, ROW_TAKE)
}

/* Returns the tally of all games of the rating. */
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

/* Reads the current row of the query into the row of its account. */
static void take_leader(struct sql *q, const struct storage_board *board,
                        struct storage_leader *rows, size_t count)
{
    struct storage_rating rating;
    size_t i = 0;

    take_rating(q, &rating);
    while (i < count && rows[i].rating.account != rating.account) {
        i++;
    }
    if (i == count) {
        return;
    }
    rows[i].rating = rating;
    sql_read_text(q, rows[i].name, sizeof rows[i].name);
    rows[i].kind = (uint8_t)sql_read_enum(q, STORAGE_KIND_LAST);
    rows[i].role = (uint8_t)sql_read_enum(q, STORAGE_ROLE_LAST);
    rows[i].seen_ms = sql_read_int(q);
    rows[i].change_week_mu = sql_read_real(q);
    take_tally(q, &rows[i].tally);
    if (board->players == 0 && storage_board_days(board) == 0) {
        rows[i].tally = make_tally_of_rating(&rating);
    }
}

static enum storage_result read_leaders(struct storage *storage,
                                        const struct storage_listing *listing,
                                        struct storage_leader *rows, size_t count)
{
    const struct storage_board *board = &listing->board;
    const int64_t days = storage_board_days(board);
    const int64_t today = listing->now_ms / DAY_MS;
    struct sql q = sql_read(storage, SELECT_LEADERS);

    sql_bind_text(&q, board->game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, storage_board_season(board));
    sql_bind_int(&q, days != 0 ? -today : board->span);
    sql_bind_int(&q, days != 0 ? days - today : board->span);
    sql_bind_int(&q, board->players);
    sql_bind_int(&q, (today - WEEK_DAYS) * DAY_MS);
    for (size_t i = 0; i < LEADERS_PER_QUERY; i++) {
        sql_bind_int(&q, i < count ? rows[i].rating.account : 0);
    }
    while (sql_next_row(&q)) {
        take_leader(&q, board, rows, count);
    }
    return sql_end(&q);
}

enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing,
                                         struct storage_leader *rows, size_t count)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < count && result == STORAGE_OK; i += LEADERS_PER_QUERY) {
        result = read_leaders(storage, listing, &rows[i],
                              count - i < LEADERS_PER_QUERY ? count - i : LEADERS_PER_QUERY);
    }
    return result;
}
