#include "storage/mod/sources.h"

#include "storage/sql/sql.h"

enum storage_result storage_source_add(struct storage *storage, int64_t sanction,
                                       const char *source)
{
    struct sql q = sql_write(storage, "INSERT INTO sanction_sources (sanction, source)"
                                      " VALUES (?, ?)");

    sql_bind_int(&q, sanction);
    sql_bind_text(&q, source, STORAGE_SOURCE_SIZE);
    return sql_run(&q);
}

enum storage_result storage_sources_delete(struct storage *storage, int64_t sanction)
{
    struct sql q = sql_write(storage, "DELETE FROM sanction_sources WHERE sanction = ?");

    sql_bind_int(&q, sanction);
    return sql_run(&q);
}

enum storage_result storage_sources_each(struct storage *storage, int64_t sanction,
                                         storage_source_row *row, void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT source FROM sanction_sources WHERE sanction = ?"
                                     " ORDER BY source");

    sql_bind_int(&q, sanction);
    while (goes_on && sql_row(&q)) {
        goes_on = row(context, sql_borrow(&q));
    }
    return sql_end(&q);
}
