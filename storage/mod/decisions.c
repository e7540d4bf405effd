#include "storage/mod/decisions.h"

#include "storage/sql/rows.h"

ROWS(decision, struct storage_decision, STORAGE_DECISION_COLUMNS);

enum storage_result storage_decision_set(struct storage *storage,
                                         const struct storage_decision *decision)
{
    struct sql q = sql_write(storage, ROW_REPLACE("decisions", STORAGE_DECISION_COLUMNS));

    bind_decision(&q, decision);
    return sql_run(&q);
}

enum storage_result storage_decision_read(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name, struct storage_decision *decision)
{
    struct sql q = sql_read(
        storage, ROW_SELECT("decisions", STORAGE_DECISION_COLUMNS) " WHERE kind = ? AND name = ?");

    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, sizeof decision->name);
    return read_decision(&q, decision);
}

enum storage_result storage_decision_delete(struct storage *storage,
                                            enum storage_decision_kind kind, const char *name)
{
    struct sql q = sql_write(storage, "DELETE FROM decisions WHERE kind = ? AND name = ?");

    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, STORAGE_RULE_NAME_SIZE);
    return sql_run(&q);
}
