#include "storage/tables/reviews.h"

#include "storage/sql/rows.h"

ROWS(review, struct storage_review, STORAGE_REVIEW_COLUMNS);

enum storage_result storage_review_add(struct storage *storage, const struct storage_review *review,
                                       int64_t *id)
{
    struct sql q = sql_write(storage, ROW_INSERT_NEW("reviews", STORAGE_REVIEW_COLUMNS));

    bind_new_review(&q, review);
    return sql_run_new(&q, id);
}

enum storage_result storage_review_set_step(struct storage *storage,
                                            const struct storage_review *review)
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
    struct sql q = sql_read(storage, ROW_SELECT("reviews", STORAGE_REVIEW_COLUMNS) " WHERE id = ?");

    sql_bind_int(&q, id);
    return read_review(&q, review);
}

enum storage_result storage_reviews_delete_empty(struct storage *storage)
{
    struct sql q = sql_write(storage, "DELETE FROM reviews WHERE NOT EXISTS"
                                      " (SELECT 1 FROM connections c WHERE c.review = reviews.id)");

    return sql_run(&q);
}
