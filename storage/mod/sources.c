#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

enum storage_result storage_sanction_source_add(struct storage *storage, int64_t sanction,
                                                const char *source)
{
    return sql_run(SQL_WRITE(storage,
                             "INSERT INTO sanction_sources (sanction, source) VALUES (?, ?)",
                             SQL_INT(sanction), SQL_TEXT(source, STORAGE_SOURCE_SIZE)));
}

enum storage_result storage_sanction_sources_delete(struct storage *storage, int64_t sanction)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM sanction_sources WHERE sanction = ?", SQL_INT(sanction)));
}

enum storage_result storage_sanction_sources_each(struct storage *storage, int64_t sanction,
                                                  storage_sanction_source_row *row, void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage,
                             "SELECT source FROM sanction_sources WHERE sanction = ?"
                             " ORDER BY source",
                             SQL_INT(sanction));

    while (goes_on && sql_next_row(q)) {
        goes_on = row(context, sql_borrow_text(q));
    }
    return sql_end(q);
}
