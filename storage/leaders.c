#include "storage/boards.h"
#include "storage/rating_rows.h"
#include "storage/sql.h"

#include <math.h>

#define DAY_MS INT64_C(86400000)
#define WEEK_DAYS 7
#define MONTH_DAYS 30

/* The rows of a listing: those of a board and class. */
struct list {
    struct storage *storage;
    const struct storage_listing *listing;
    int64_t board; /* 0: nobody was ever on it */
    int64_t class;
};

static enum storage_result list_find(struct storage *storage, const struct storage_listing *listing,
                                     struct list *list)
{
    struct sql q = sql_read(storage, "SELECT id FROM boards WHERE game = ? AND span = ?"
                                     " AND players = ? AND is_bot = ?");

    *list =
        (struct list){.storage = storage, .listing = listing, .class = listing->is_young ? 0 : 1};
    sql_bind_text(&q, listing->board.game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, listing->board.span);
    sql_bind_int(&q, listing->board.players);
    sql_bind_int(&q, listing->board.is_bots);
    if (sql_first(&q)) {
        list->board = sql_int(&q);
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

static void bind_list(struct sql *q, const struct list *list)
{
    sql_bind_int(q, list->board);
    sql_bind_int(q, list->class);
}

static enum storage_result finish_count(struct sql *q, uint32_t *count)
{
    if (sql_first(q)) {
        *count = (uint32_t)sql_int(q);
    }
    return sql_end(q);
}

static enum storage_result list_count(const struct list *list, uint32_t *total)
{
    struct sql q = sql_read(list->storage, "SELECT coalesce(sum(count), 0) FROM standing_counts"
                                           " WHERE board = ? AND class = ?");

    bind_list(&q, list);
    return finish_count(&q, total);
}

/* Eighths, toward zero, as the database's CAST has it. */
static int64_t bucket_of(double mu)
{
    return (int64_t)(mu * 8.0);
}

/* The highest mu that is in the bucket. */
static double bucket_top(int64_t bucket)
{
    return bucket >= 0 ? nextafter((double)(bucket + 1) / 8.0, -HUGE_VAL) : (double)bucket / 8.0;
}

static enum storage_result count_above(const struct list *list, double mu, uint32_t *count)
{
    struct sql q =
        sql_read(list->storage, "SELECT (SELECT coalesce(sum(count), 0) FROM standing_counts"
                                " WHERE board = ?1 AND class = ?2 AND bucket > ?3)"
                                " + (SELECT count(*) FROM standings"
                                " WHERE board = ?1 AND class = ?2 AND mu > ?4 AND mu <= ?5)");

    bind_list(&q, list);
    sql_bind_int(&q, bucket_of(mu));
    sql_bind_real(&q, mu);
    sql_bind_real(&q, bucket_top(bucket_of(mu)));
    return finish_count(&q, count);
}

/* Equals that come before this one. */
static enum storage_result count_beside(const struct list *list, double mu, int64_t account,
                                        uint32_t *count)
{
    struct sql q = sql_read(list->storage, "SELECT count(*) FROM standings WHERE board = ?"
                                           " AND class = ? AND mu = ? AND account < ?");

    bind_list(&q, list);
    sql_bind_real(&q, mu);
    sql_bind_int(&q, account);
    return finish_count(&q, count);
}

/* Both are answered by the index rating_changes_of_account alone. */
static struct sql ask_week(struct storage *storage, bool is_season)
{
    return is_season
               ? sql_read(storage, "SELECT season_mu_before FROM rating_changes"
                                   " WHERE account = ? AND game = ? AND at_ms >= ? AND season = ?"
                                   " ORDER BY at_ms LIMIT 1")
               : sql_read(storage, "SELECT mu_before FROM rating_changes"
                                   " WHERE account = ? AND game = ? AND at_ms >= ?"
                                   " ORDER BY at_ms LIMIT 1");
}

static enum storage_result take_week(struct storage *storage, const struct storage_listing *listing,
                                     struct storage_leader *leader)
{
    const bool is_season = listing->board.span >= STORAGE_SPAN_SEASONS;
    const int64_t since_ms = listing->now_ms - WEEK_DAYS * DAY_MS;

    if (leader->rating.rated_ms < since_ms) {
        return STORAGE_OK;
    }
    struct sql q = ask_week(storage, is_season);
    sql_bind_int(&q, leader->rating.account);
    sql_bind_text(&q, listing->board.game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, since_ms);
    if (is_season) {
        sql_bind_int(&q, listing->board.span);
    }
    if (sql_first(&q)) {
        leader->change_week_mu = leader->rating.mu - sql_real(&q);
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

/* What a rating counts is what a board without filters asks for. */
static struct storage_tally tally_of(const struct storage_rating *rating)
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

static enum storage_result take_tally(struct storage *storage,
                                      const struct storage_listing *listing,
                                      struct storage_leader *leader)
{
    const struct storage_board *board = &listing->board;
    const bool is_days = board->span == STORAGE_SPAN_MONTH || board->span == STORAGE_SPAN_WEEK;
    const int64_t days = board->span == STORAGE_SPAN_MONTH ? MONTH_DAYS : WEEK_DAYS;

    if (!is_days && board->players == 0) {
        leader->tally = tally_of(&leader->rating);
        return STORAGE_OK;
    }
    struct sql q = sql_read(storage, "SELECT max(last_ms), sum(games), sum(wins), sum(place_sum),"
                                     " sum(stat_hits), sum(stat_chances), sum(finished),"
                                     " sum(\"left\") FROM tallies WHERE account = ?1 AND game = ?2"
                                     " AND span BETWEEN ?3 AND ?4 AND (?5 = 0 OR players = ?5)");

    sql_bind_int(&q, leader->rating.account);
    sql_bind_text(&q, board->game, STORAGE_WORD_SIZE);
    sql_bind_int(&q, is_days ? -(listing->now_ms / DAY_MS) : board->span);
    sql_bind_int(&q, is_days ? -(listing->now_ms / DAY_MS - days) : board->span);
    sql_bind_int(&q, board->players);
    if (sql_first(&q)) {
        struct storage_tally *tally = &leader->tally;
        tally->last_ms = sql_int(&q);
        tally->games = (uint32_t)sql_int(&q);
        tally->wins = sql_real(&q);
        tally->place_sum = sql_real(&q);
        tally->stat_hits = (uint32_t)sql_int(&q);
        tally->stat_chances = (uint32_t)sql_int(&q);
        tally->finished = (uint32_t)sql_int(&q);
        tally->left = (uint32_t)sql_int(&q);
    }
    return sql_end(&q);
}

static enum storage_result take_account(struct storage *storage, struct storage_leader *leader)
{
    struct sql q = sql_read(storage, "SELECT name, kind, role, seen_ms FROM accounts WHERE id = ?");

    sql_bind_int(&q, leader->rating.account);
    if (sql_first(&q)) {
        sql_text(&q, leader->name, sizeof leader->name);
        leader->kind = (uint8_t)sql_int(&q);
        leader->role = (uint8_t)sql_int(&q);
        leader->seen_ms = sql_int(&q);
    }
    return sql_end(&q);
}

/* All of a row but its place. */
static enum storage_result take_leader(struct storage *storage,
                                       const struct storage_listing *listing, int64_t account,
                                       struct storage_leader *leader)
{
    const struct storage_board *board = &listing->board;

    *leader = (struct storage_leader){0};
    enum storage_result result =
        board->span >= STORAGE_SPAN_SEASONS
            ? storage_season_read(storage, account, board->game, board->span, &leader->rating)
            : storage_rating_read(storage, account, board->game, &leader->rating);
    if (result == STORAGE_OK) {
        result = take_account(storage, leader);
    }
    if (result == STORAGE_OK) {
        result = take_tally(storage, listing, leader);
    }
    return result == STORAGE_OK ? take_week(storage, listing, leader) : result;
}

enum storage_result storage_leaders_count(struct storage *storage,
                                          const struct storage_listing *listing, uint32_t *total)
{
    struct list list;
    const enum storage_result result = list_find(storage, listing, &list);

    return result == STORAGE_OK ? list_count(&list, total) : result;
}

/* The bucket in which the row at `offset` is, and how many come before that bucket. */
static enum storage_result find_bucket(const struct list *list, uint32_t offset, int64_t *bucket,
                                       uint32_t *before)
{
    bool is_found = false;
    struct sql q = sql_read(list->storage, "SELECT bucket, count FROM standing_counts"
                                           " WHERE board = ? AND class = ? ORDER BY bucket DESC");

    *before = 0;
    *bucket = 0;
    bind_list(&q, list);
    while (!is_found && sql_row(&q)) {
        *bucket = sql_int(&q);
        const uint32_t count = (uint32_t)sql_int(&q);
        is_found = offset < *before + count;
        *before += is_found ? 0 : count;
    }
    return sql_end(&q);
}

static enum storage_result read_rows(const struct list *list, uint32_t offset,
                                     struct storage_leaders_page *page)
{
    int64_t bucket = 0;
    uint32_t before = 0;
    enum storage_result taken = STORAGE_OK;
    const enum storage_result result = find_bucket(list, offset, &bucket, &before);

    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_read(list->storage, "SELECT account FROM standings WHERE board = ?"
                                           " AND class = ? AND mu <= ?"
                                           " ORDER BY mu DESC, account LIMIT ? OFFSET ?");
    bind_list(&q, list);
    sql_bind_real(&q, bucket_top(bucket));
    sql_bind_int(&q, (int64_t)page->capacity);
    sql_bind_int(&q, (int64_t)offset - before);
    while (taken == STORAGE_OK && page->count < page->capacity && sql_row(&q)) {
        taken = take_leader(list->storage, list->listing, sql_int(&q), &page->rows[page->count++]);
    }
    const enum storage_result ended = sql_end(&q);
    return taken == STORAGE_OK ? ended : taken;
}

/* Ranks of a page: the first row's is its place but for equals before it, the others follow. */
static enum storage_result set_ranks(const struct list *list, uint32_t offset,
                                     const struct storage_leaders_page *page)
{
    struct storage_leader *rows = page->rows;
    uint32_t beside = 0;

    if (page->count == 0) {
        return STORAGE_OK;
    }
    const enum storage_result result =
        count_beside(list, rows[0].rating.mu, rows[0].rating.account, &beside);
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
    enum storage_result result = list_find(storage, listing, &list);

    page->count = 0;
    page->total = 0;
    if (result == STORAGE_OK) {
        result = list_count(&list, &page->total);
    }
    if (result != STORAGE_OK || offset >= page->total) {
        return result;
    }
    result = read_rows(&list, offset, page);
    return result == STORAGE_OK ? set_ranks(&list, offset, page) : result;
}

/* Sets rank and index of a row that is on the list. */
static enum storage_result place(const struct list *list, struct storage_leader *leader)
{
    uint32_t above = 0;
    uint32_t beside = 0;
    enum storage_result result = count_above(list, leader->rating.mu, &above);

    if (result == STORAGE_OK) {
        result = count_beside(list, leader->rating.mu, leader->rating.account, &beside);
    }
    leader->rank = above + 1;
    leader->index = above + beside;
    return result;
}

enum storage_result storage_leader_mu(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      double *mu)
{
    struct list list;
    const enum storage_result result = list_find(storage, listing, &list);

    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_read(storage, "SELECT mu FROM standings"
                                     " WHERE account = ? AND board = ? AND class = ?");
    sql_bind_int(&q, account);
    bind_list(&q, &list);
    if (sql_first(&q)) {
        *mu = sql_real(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_leader_of(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      struct storage_leader *leader)
{
    struct list list;
    int64_t class = 0;
    enum storage_result result = list_find(storage, listing, &list);

    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_read(storage, "SELECT class FROM standings WHERE account = ? AND board = ?");
    sql_bind_int(&q, account);
    sql_bind_int(&q, list.board);
    if (sql_first(&q)) {
        class = sql_int(&q);
    }
    result = sql_end(&q);
    if (result == STORAGE_OK) {
        result = take_leader(storage, listing, account, leader);
    }
    return result == STORAGE_OK && class == list.class ? place(&list, leader) : result;
}
