#include "storage/people/people.h"

#include "storage/sql/sql.h"

enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t blocked,
                                      enum storage_block kind)
{
    return sql_run(SQL_WRITE(storage, "INSERT INTO regards (account, other, kind) VALUES (?, ?, ?)",
                             SQL_INT(account), SQL_INT(blocked), SQL_INT(kind)));
}

enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t blocked,
                                         enum storage_block kind)
{
    return sql_run_change(
        SQL_WRITE(storage, "DELETE FROM regards WHERE account = ? AND other = ? AND kind = ?",
                  SQL_INT(account), SQL_INT(blocked), SQL_INT(kind)));
}

enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_blocked)
{
    return statement_has_row(SQL_READ(storage,
                                      "SELECT 1 FROM regards WHERE kind = ?3 AND"
                                      " ((account = ?1 AND other = ?2)"
                                      " OR (account = ?2 AND other = ?1))",
                                      SQL_INT(account), SQL_INT(other), SQL_INT(kind)),
                             is_blocked);
}

enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage,
                             "SELECT other FROM regards WHERE account = ?1 AND kind = ?2 UNION"
                             " SELECT account FROM regards WHERE other = ?1 AND kind = ?2"
                             " ORDER BY 1",
                             SQL_INT(account), SQL_INT(kind));

    while (goes_on && sql_next_row(q)) {
        goes_on = row(context, sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *blocked, size_t capacity,
                                        size_t *count)
{
    struct sql *q =
        SQL_READ(storage, "SELECT other FROM regards WHERE account = ? AND kind = ? ORDER BY other",
                 SQL_INT(account), SQL_INT(kind));

    *count = 0;
    while (*count < capacity && sql_next_row(q)) {
        blocked[(*count)++] = sql_read_int(q);
    }
    return sql_end(q);
}
