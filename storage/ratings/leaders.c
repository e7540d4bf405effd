#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"

#include <math.h>

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

static void leader_lines_read_sums(struct sql *q, struct storage_tally *row)
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

/* The rows that a listing selects: the listed or the unlisted accounts of one board. */
struct list {
    struct storage *storage;
    const struct storage_listing *listing;
    int64_t board; /* number of the board; 0: it has no rows yet */
    int64_t class;
    int64_t lines; /* number of the board that stores the lines for this board (leader_lines.h) */
};

static enum storage_result find_board_numbers(struct storage *storage,
                                              const struct storage_listing *listing,
                                              struct list *list)
{
    struct sql *q =
        SQL_READ(storage,
                 "SELECT b.id, l.id FROM boards l LEFT JOIN boards b ON b.game = l.game"
                 " AND b.span = ?2 AND b.players = ?3 AND b.is_bot = l.is_bot"
                 " WHERE l.game = ?1 AND l.span = ?4 AND l.players = 0 AND l.is_bot = ?5",
                 SQL_TEXT(listing->board.game, STORAGE_WORD_SIZE), SQL_INT(listing->board.span),
                 SQL_INT(listing->board.players), SQL_INT(leader_lines_get_span(&listing->board)),
                 SQL_INT(listing->board.is_bots));

    *list =
        (struct list){.storage = storage, .listing = listing, .class = listing->is_young ? 0 : 1};
    if (sql_first_row(q)) {
        list->board = sql_read_int(q);
        list->lines = sql_read_int(q);
    }
    const enum storage_result result = sql_end(q);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

static enum storage_result count_rows(const struct list *list, uint32_t *total)
{
    return statement_read_count(SQL_READ(list->storage,
                                         "SELECT coalesce(sum(count), 0) FROM standing_counts"
                                         " WHERE board = ? AND class = ?",
                                         SQL_INT(list->board), SQL_INT(list->class)),
                                total);
}

/* Returns the bucket of a rating: mu times 8, rounded toward zero as by SQL's CAST. */
static int64_t compute_bucket(double mu)
{
    return (int64_t)(mu * 8.0);
}

/* Returns the highest mu in the bucket. */
static double compute_bucket_top(int64_t bucket)
{
    return bucket >= 0 ? nextafter((double)(bucket + 1) / 8.0, -HUGE_VAL) : (double)bucket / 8.0;
}

static enum storage_result count_rows_above(const struct list *list, double mu, uint32_t *count)
{
    return statement_read_count(
        SQL_READ(list->storage,
                 "SELECT (SELECT coalesce(sum(count), 0) FROM standing_counts"
                 " WHERE board = ?1 AND class = ?2 AND bucket > ?3)"
                 " + (SELECT count(*) FROM standings"
                 " WHERE board = ?1 AND class = ?2 AND mu > ?4 AND mu <= ?5)",
                 SQL_INT(list->board), SQL_INT(list->class), SQL_INT(compute_bucket(mu)),
                 SQL_REAL(mu), SQL_REAL(compute_bucket_top(compute_bucket(mu)))),
        count);
}

static enum storage_result count_equal_rows_before(const struct list *list, double mu,
                                                   int64_t account, uint32_t *count)
{
    return statement_read_count(SQL_READ(list->storage,
                                         "SELECT count(*) FROM standings WHERE board = ?"
                                         " AND class = ? AND mu = ? AND account < ?",
                                         SQL_INT(list->board), SQL_INT(list->class), SQL_REAL(mu),
                                         SQL_INT(account)),
                                count);
}

enum storage_result storage_leaders_count(struct storage *storage,
                                          const struct storage_listing *listing, uint32_t *total)
{
    struct list list;

    RETURN_FAILURE(find_board_numbers(storage, listing, &list));
    return count_rows(&list, total);
}

/* Finds the bucket of the row at `offset`, and the number of rows before that bucket. */
static enum storage_result find_bucket(const struct list *list, uint32_t offset, int64_t *bucket,
                                       uint32_t *rows_before)
{
    bool is_found = false;
    struct sql *q = SQL_READ(list->storage,
                             "SELECT bucket, count FROM standing_counts"
                             " WHERE board = ? AND class = ? ORDER BY bucket DESC",
                             SQL_INT(list->board), SQL_INT(list->class));

    *rows_before = 0;
    *bucket = 0;
    while (!is_found && sql_next_row(q)) {
        *bucket = sql_read_int(q);
        const uint32_t count = (uint32_t)sql_read_int(q);
        is_found = offset < *rows_before + count;
        *rows_before += is_found ? 0 : count;
    }
    return sql_end(q);
}

/* Sets the tally of a row. For a board of the last week or month, sums the games' tallies now,
 * because such sums change from day to day and are not stored. For another board that counts only
 * games with a certain number of players, copies `sums`, which come from the account's standing.
 * Otherwise the row already has the right tally, that of the rating. */
static enum storage_result set_tally(const struct list *list, const struct storage_tally *sums,
                                     struct storage_leader *leader)
{
    const struct storage_board *board = &list->listing->board;

    if (leader_lines_is_week_or_month(board)) {
        return leader_lines_sum_tally(list->storage, list->listing, leader->rating.account,
                                      &leader->tally);
    }
    if (board->players != 0) {
        leader->tally = *sums;
    }
    return STORAGE_OK;
}

static enum storage_result read_page_rows(const struct list *list, uint32_t offset,
                                          struct storage_leaders_page *page)
{
    int64_t bucket = 0;
    uint32_t before = 0;
    enum storage_result taken = STORAGE_OK;
    struct leader_line line = {.board = list->lines, .class = list->class};
    struct storage_tally sums;

    RETURN_FAILURE(find_bucket(list, offset, &bucket, &before));
    struct sql *q =
        SQL_READ(list->storage,
                 "SELECT account, mu, " LEADER_LINES_SUMS
                 " FROM standings WHERE board = ? AND class = ? AND mu <= ?"
                 " ORDER BY mu DESC, account LIMIT ? OFFSET ?",
                 SQL_INT(list->board), SQL_INT(list->class), SQL_REAL(compute_bucket_top(bucket)),
                 SQL_INT((int64_t)page->capacity), SQL_INT((int64_t)offset - before));
    while (taken == STORAGE_OK && page->count < page->capacity && sql_next_row(q)) {
        struct storage_leader *leader = &page->rows[page->count++];
        line.account = sql_read_int(q);
        line.mu = sql_read_real(q);
        leader_lines_read_sums(q, &sums);
        taken = leader_lines_read(list->storage, list->listing, &line, leader);
        if (taken == STORAGE_OK) {
            taken = set_tally(list, &sums, leader);
        }
    }
    const enum storage_result ended = sql_end(q);
    return taken == STORAGE_OK ? ended : taken;
}

/* Sets the ranks of a page. The first row's rank is 1 plus its index, minus the number of equal
 * rows before it. The ranks of the other rows follow from the first. */
static enum storage_result set_ranks(const struct list *list, uint32_t offset,
                                     const struct storage_leaders_page *page)
{
    struct storage_leader *rows = page->rows;
    uint32_t beside = 0;

    if (page->count == 0) {
        return STORAGE_OK;
    }
    const enum storage_result result =
        count_equal_rows_before(list, rows[0].rating.mu, rows[0].rating.account, &beside);
    rows[0].index = offset;
    rows[0].rank = offset - beside + 1;
    for (size_t i = 1; i < page->count; i++) {
        const bool is_tied = !(rows[i].rating.mu < rows[i - 1].rating.mu);
        rows[i].index = offset + (uint32_t)i;
        rows[i].rank = is_tied ? rows[i - 1].rank : rows[i].index + 1;
    }
    return result;
}

enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing, uint32_t offset,
                                         struct storage_leaders_page *page)
{
    struct list list;

    page->count = 0;
    page->total = 0;
    RETURN_FAILURE(find_board_numbers(storage, listing, &list));
    RETURN_FAILURE(count_rows(&list, &page->total));
    if (offset >= page->total) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(read_page_rows(&list, offset, page));
    return set_ranks(&list, offset, page);
}

/* Sets the rank and the index of a row that is on the list. */
static enum storage_result set_rank_and_index(const struct list *list,
                                              struct storage_leader *leader)
{
    uint32_t above = 0;
    uint32_t beside = 0;

    RETURN_FAILURE(count_rows_above(list, leader->rating.mu, &above));
    RETURN_FAILURE(
        count_equal_rows_before(list, leader->rating.mu, leader->rating.account, &beside));
    leader->rank = above + 1;
    leader->index = above + beside;
    return STORAGE_OK;
}

enum storage_result storage_leader_read_mu(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           double *mu)
{
    struct list list;

    RETURN_FAILURE(find_board_numbers(storage, listing, &list));
    return statement_read_real(
        SQL_READ(storage, "SELECT mu FROM standings WHERE account = ? AND board = ? AND class = ?",
                 SQL_INT(account), SQL_INT(list.board), SQL_INT(list.class)),
        mu);
}

/* Finds the key of the account's line, and the account's sums on the listing's board; the account
 * may be listed or not. */
static enum storage_result find_leader_line(const struct list *list, int64_t account,
                                            struct leader_line *line, struct storage_tally *tally)
{
    struct sql *q = SQL_READ(list->storage,
                             "SELECT class, mu, " LEADER_LINES_SUMS
                             " FROM standings WHERE account = ? AND board = ?",
                             SQL_INT(account), SQL_INT(list->board));

    *line = (struct leader_line){.board = list->lines, .account = account};
    if (sql_first_row(q)) {
        line->class = sql_read_int(q);
        line->mu = sql_read_real(q);
        leader_lines_read_sums(q, tally);
    }
    return sql_end(q);
}

enum storage_result storage_leader_read(struct storage *storage,
                                        const struct storage_listing *listing, int64_t account,
                                        struct storage_leader *leader)
{
    struct list list;
    struct leader_line line = {0};
    struct storage_tally tally;

    RETURN_FAILURE(find_board_numbers(storage, listing, &list));
    RETURN_FAILURE(find_leader_line(&list, account, &line, &tally));
    RETURN_FAILURE(leader_lines_read(storage, listing, &line, leader));
    RETURN_FAILURE(set_tally(&list, &tally, leader));
    return line.class == list.class ? set_rank_and_index(&list, leader) : STORAGE_OK;
}
