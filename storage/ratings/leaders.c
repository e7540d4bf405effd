#include "storage/ratings/ratings.h"

#include "storage/sql/sql.h"

#include <math.h>

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
