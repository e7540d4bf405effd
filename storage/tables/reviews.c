#include "storage/tables/reviews.h"

#include "storage/sql/sql.h"

enum storage_result storage_review_add(struct storage *storage, const struct storage_review *review,
                                       int64_t *id)
{
    struct sql q = sql_write(storage, "INSERT INTO reviews (game_id, step, seat) VALUES (?, ?, ?)");

    sql_bind_int(&q, review->game);
    sql_bind_int(&q, review->step);
    sql_bind_int(&q, review->seat);
    return sql_run_new(&q, id);
}

enum storage_result storage_review_go(struct storage *storage, const struct storage_review *review)
{
    struct sql q = sql_write(storage, "UPDATE reviews SET step = ?, seat = ? WHERE id = ?");

    sql_bind_int(&q, review->step);
    sql_bind_int(&q, review->seat);
    sql_bind_int(&q, review->id);
    return sql_run_on_row(&q);
}

enum storage_result storage_review_read(struct storage *storage, int64_t id,
                                        struct storage_review *review)
{
    struct sql q = sql_read(storage, "SELECT id, game_id, step, seat FROM reviews"
                                     " WHERE id = ?");

    sql_bind_int(&q, id);
    if (sql_first(&q)) {
        *review = (struct storage_review){.id = sql_int(&q)};
        review->game = sql_int(&q);
        review->step = sql_int(&q);
        review->seat = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_reviews_forget(struct storage *storage)
{
    struct sql q = sql_write(storage, "DELETE FROM reviews WHERE NOT EXISTS"
                                      " (SELECT 1 FROM connections c WHERE c.review = reviews.id)");

    return sql_run(&q);
}
