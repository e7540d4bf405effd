#include "storage/house/house.h"

#define STATEMENT STATEMENT_DEFINED
#include "storage/house/house.def"

enum storage_result storage_counter_reserve(struct storage *storage, const char *name,
                                            int64_t count, int64_t *first)
{
    struct sql *q = SQL_WRITE(storage,
                              "INSERT INTO counters (name, next) VALUES (?1, 1 + ?2)"
                              " ON CONFLICT (name) DO UPDATE SET next = counters.next + ?2"
                              " RETURNING next - ?2",
                              SQL_TEXT(name, STORAGE_WORD_SIZE), SQL_INT(count));

    if (sql_first_row(q)) {
        *first = sql_read_int(q);
    }
    return sql_run(q);
}

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
