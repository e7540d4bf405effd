#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

enum storage_result storage_rule_set(struct storage *storage, enum storage_rule kind,
                                     const char *name, int64_t value)
{
    struct sql q =
        value == 0 ? sql_write(storage, "DELETE FROM rules WHERE kind = ?1 AND name = ?2")
                   : sql_write(storage, "INSERT INTO rules (kind, name, value) VALUES (?1, ?2, ?3)"
                                        " ON CONFLICT (kind, name) DO UPDATE SET"
                                        " value = excluded.value");

    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, STORAGE_RULE_NAME_SIZE);
    if (value != 0) {
        sql_bind_int(&q, value);
    }
    return sql_run(&q);
}

enum storage_result storage_rule_read(struct storage *storage, enum storage_rule kind,
                                      const char *name, int64_t *value)
{
    struct sql *q = SQL_READ(storage, "SELECT value FROM rules WHERE kind = ? AND name = ?",
                             SQL_INT(kind), SQL_TEXT(name, STORAGE_RULE_NAME_SIZE));

    return statement_read_number_or(q, 0, value);
}

enum storage_result storage_rules_each(struct storage *storage, enum storage_rule kind,
                                       bool (*row)(void *context, const char *name, int64_t value),
                                       void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage, "SELECT name, value FROM rules WHERE kind = ? ORDER BY name",
                             SQL_INT(kind));

    while (goes_on && sql_next_row(q)) {
        const char *name = sql_borrow_text(q);
        goes_on = row(context, name, sql_read_int(q));
    }
    return sql_end(q);
}
