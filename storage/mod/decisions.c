#include "storage/mod/decisions.h"

#include "storage/sql/sql.h"

#include <stdio.h>

enum storage_result storage_decision_set(struct storage *storage,
                                         const struct storage_decision *decision)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO decisions"
                                      " (kind, name, by_role, by_name, at_ms)"
                                      " VALUES (?, ?, ?, ?, ?)");

    sql_bind_int(&q, decision->kind);
    sql_bind_text(&q, decision->name, sizeof decision->name);
    sql_bind_int(&q, decision->by_role);
    sql_bind_text(&q, decision->by_name, sizeof decision->by_name);
    sql_bind_int(&q, decision->at_ms);
    return sql_run(&q);
}

enum storage_result storage_decision_read(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name, struct storage_decision *decision)
{
    struct sql q = sql_read(storage, "SELECT by_role, by_name, at_ms FROM decisions"
                                     " WHERE kind = ? AND name = ?");

    *decision = (struct storage_decision){.kind = kind};
    (void)snprintf(decision->name, sizeof decision->name, "%s", name);
    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, sizeof decision->name);
    if (sql_first(&q)) {
        decision->by_role = (uint8_t)sql_int(&q);
        sql_text(&q, decision->by_name, sizeof decision->by_name);
        decision->at_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_decision_drop(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name)
{
    struct sql q = sql_write(storage, "DELETE FROM decisions WHERE kind = ? AND name = ?");

    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, STORAGE_RULE_NAME_SIZE);
    return sql_run(&q);
}
