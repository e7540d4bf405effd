#include "storage/house/house.h"

#include "storage/sql/sql.h"

enum storage_result storage_answers_add(struct storage *storage, const void *bytes, size_t len,
                                        int64_t *number)
{
    struct sql q = sql_write(storage, "INSERT INTO answers (number, sealed) VALUES (NULL, ?)");

    sql_bind_bytes(&q, bytes, len);
    return sql_run_insertion(&q, number);
}

enum storage_result storage_answers_each(struct storage *storage, storage_answers_row *row,
                                         void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT sealed FROM answers ORDER BY number");

    while (goes_on && sql_next_row(&q)) {
        size_t len = 0;
        const void *bytes = sql_borrow_bytes(&q, &len);
        goes_on = row(context, bytes, len);
    }
    return sql_end(&q);
}

enum storage_result storage_answers_delete(struct storage *storage, int64_t before_number)
{
    return sql_run_deferred(
        SQL_WRITE(storage, "DELETE FROM answers WHERE number < ?", SQL_INT(before_number)));
}
