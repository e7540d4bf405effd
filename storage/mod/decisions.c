#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

ROWS(decision, struct storage_decision, STORAGE_DECISION_COLUMNS);

enum storage_result storage_decision_set(struct storage *storage,
                                         const struct storage_decision *decision)
{
    return run_decision(
        sql_write(storage, ROW_UPSERT("decisions", "kind, name", STORAGE_DECISION_COLUMNS)),
        decision);
}

enum storage_result storage_decision_read(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name, struct storage_decision *decision)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("decisions", STORAGE_DECISION_COLUMNS) " WHERE kind = ? AND name = ?",
        SQL_INT(kind), SQL_TEXT(name, sizeof decision->name));

    return read_decision(q, decision);
}

enum storage_result storage_decision_delete(struct storage *storage,
                                            enum storage_decision_kind kind, const char *name)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM decisions WHERE kind = ? AND name = ?",
                             SQL_INT(kind), SQL_TEXT(name, STORAGE_RULE_NAME_SIZE)));
}
