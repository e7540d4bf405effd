#include "storage/rating_rows.h"
#include "storage/ratings.h"
#include "storage/sql.h"

#define DAY_MS 86400000.0
#define WEEK_MS INT64_C(604800000)

/* Who is listed, by the arguments ?1 to ?6 (bind_listing). All its columns are in the index
 * ratings_in_order, so counting and skipping read nothing else; the held are few and found once.
 * The line on sigma is sigma² + variance_per_ms * (now - rated) <= sigma_max² with all that is the
 * same for every row on the right. */
#define LISTED                                                                                     \
    " game = ?1 AND is_bot = ?2 AND games >= ?3 AND rated_ms >= ?4"                                \
    " AND sigma * sigma - ?5 * rated_ms <= ?6"                                                     \
    " AND account NOT IN (SELECT id FROM accounts WHERE is_held <> 0)"

#define LEADER_COLUMNS                                                                             \
    RATING_ROWS_COLUMNS ", a.name, a.kind, a.role, a.seen_ms,"                                     \
                        " coalesce((SELECT r.mu - c.mu_before FROM rating_changes c"               \
                        " WHERE c.account = r.account AND c.game = r.game AND c.at_ms >= ?7"       \
                        " ORDER BY c.at_ms LIMIT 1), 0)"

static void bind_listing(struct sql *q, const struct storage_listing *listing)
{
    const double variance_per_ms = listing->idle_variance_per_day / DAY_MS;
    const double sigma2_max = listing->sigma_max * listing->sigma_max;

    sql_bind_text(q, listing->game, STORAGE_WORD_SIZE);
    sql_bind_int(q, listing->is_bots);
    sql_bind_int(q, listing->games_min);
    sql_bind_int(q, listing->rated_since_ms);
    sql_bind_real(q, variance_per_ms);
    sql_bind_real(q, sigma2_max - variance_per_ms * (double)listing->now_ms);
}

static void take_leader(struct sql *q, struct storage_leader *leader)
{
    *leader = (struct storage_leader){0};
    rating_rows_take(q, &leader->rating);
    sql_text(q, leader->name, sizeof leader->name);
    leader->kind = (uint8_t)sql_int(q);
    leader->role = (uint8_t)sql_int(q);
    leader->seen_ms = sql_int(q);
    leader->change_week_mu = sql_real(q);
}

static enum storage_result finish_count(struct sql *q, uint32_t *count)
{
    if (sql_first(q)) {
        *count = (uint32_t)sql_int(q);
    }
    return sql_end(q);
}

static enum storage_result count_all(struct storage *storage, const struct storage_listing *listing,
                                     uint32_t *count)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM ratings WHERE" LISTED);

    bind_listing(&q, listing);
    return finish_count(&q, count);
}

static enum storage_result count_above(struct storage *storage,
                                       const struct storage_listing *listing, double mu,
                                       uint32_t *count)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM ratings WHERE" LISTED " AND mu > ?7");

    bind_listing(&q, listing);
    sql_bind_real(&q, mu);
    return finish_count(&q, count);
}

/* Equals that come before this one. */
static enum storage_result count_beside(struct storage *storage,
                                        const struct storage_listing *listing,
                                        const struct storage_rating *rating, uint32_t *count)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM ratings WHERE" LISTED
                                     " AND mu = ?7 AND account < ?8");

    bind_listing(&q, listing);
    sql_bind_real(&q, rating->mu);
    sql_bind_int(&q, rating->account);
    return finish_count(&q, count);
}

/* Ranks of a page: the first row's is its place but for equals before it, the others follow. */
static enum storage_result set_ranks(struct storage *storage, const struct storage_listing *listing,
                                     uint32_t offset, const struct storage_leaders_page *page)
{
    struct storage_leader *rows = page->rows;
    uint32_t beside = 0;

    if (page->count == 0) {
        return STORAGE_OK;
    }
    const enum storage_result result = count_beside(storage, listing, &rows[0].rating, &beside);
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
    page->count = 0;
    enum storage_result result = count_all(storage, listing, &page->total);
    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_read(
        storage, "SELECT " LEADER_COLUMNS " FROM (SELECT account, game FROM ratings WHERE" LISTED
                 " ORDER BY mu DESC, account LIMIT ?8 OFFSET ?9) page"
                 " JOIN ratings r ON r.account = page.account AND r.game = page.game"
                 " JOIN accounts a ON a.id = r.account ORDER BY r.mu DESC, r.account");
    bind_listing(&q, listing);
    sql_bind_int(&q, listing->now_ms - WEEK_MS);
    sql_bind_int(&q, (int64_t)page->capacity);
    sql_bind_int(&q, offset);
    while (page->count < page->capacity && sql_row(&q)) {
        take_leader(&q, &page->rows[page->count++]);
    }
    result = sql_end(&q);
    return result == STORAGE_OK ? set_ranks(storage, listing, offset, page) : result;
}

/* Sets rank and index of a row that is on the list. */
static enum storage_result place(struct storage *storage, const struct storage_listing *listing,
                                 struct storage_leader *leader)
{
    uint32_t above = 0;
    uint32_t beside = 0;
    enum storage_result result = count_above(storage, listing, leader->rating.mu, &above);

    if (result == STORAGE_OK) {
        result = count_beside(storage, listing, &leader->rating, &beside);
    }
    leader->rank = above + 1;
    leader->index = above + beside;
    return result;
}

enum storage_result storage_leader_of(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      struct storage_leader *leader)
{
    bool is_listed = false;
    struct sql q = sql_read(storage, "SELECT " LEADER_COLUMNS ", EXISTS (SELECT 1 FROM ratings"
                                     " WHERE" LISTED " AND account = r.account AND mu = r.mu)"
                                     " FROM ratings r JOIN accounts a ON a.id = r.account"
                                     " WHERE r.account = ?8 AND r.game = ?1 AND r.games > 0");

    bind_listing(&q, listing);
    sql_bind_int(&q, listing->now_ms - WEEK_MS);
    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        take_leader(&q, leader);
        is_listed = sql_int(&q) != 0;
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_OK && is_listed ? place(storage, listing, leader) : result;
}
