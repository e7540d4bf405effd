#include "storage/people/blocks.h"

#include "storage/sql/sql.h"

enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t other,
                                      enum storage_block kind)
{
    struct sql q =
        sql_write(storage, "INSERT INTO regards (account, other, kind) VALUES (?, ?, ?)");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    sql_bind_int(&q, kind);
    return sql_run(&q);
}

enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t other,
                                         enum storage_block kind)
{
    struct sql q =
        sql_write(storage, "DELETE FROM regards WHERE account = ? AND other = ? AND kind = ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    sql_bind_int(&q, kind);
    return sql_run_on_row(&q);
}

enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_so)
{
    struct sql q = sql_read(storage, "SELECT 1 FROM regards WHERE kind = ?3 AND"
                                     " ((account = ?1 AND other = ?2)"
                                     " OR (account = ?2 AND other = ?1))");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    sql_bind_int(&q, kind);
    *is_so = sql_row(&q);
    return sql_end(&q);
}

enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT other FROM regards WHERE account = ?1 AND kind = ?2"
                                     " UNION"
                                     " SELECT account FROM regards WHERE other = ?1 AND kind = ?2"
                                     " ORDER BY 1");

    sql_bind_int(&q, account);
    sql_bind_int(&q, kind);
    while (goes_on && sql_row(&q)) {
        goes_on = row(context, sql_int(&q));
    }
    return sql_end(&q);
}

enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *others, size_t capacity,
                                        size_t *count)
{
    struct sql q = sql_read(
        storage, "SELECT other FROM regards WHERE account = ? AND kind = ? ORDER BY other");

    *count = 0;
    sql_bind_int(&q, account);
    sql_bind_int(&q, kind);
    while (*count < capacity && sql_row(&q)) {
        others[(*count)++] = sql_int(&q);
    }
    return sql_end(&q);
}
