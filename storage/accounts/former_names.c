#include "storage/accounts/former_names.h"

#include "storage/sql/sql.h"

#define SELECT_FORMER "SELECT account, name, skeleton, until_ms FROM former_names WHERE "

enum storage_result storage_former_name_add(struct storage *storage,
                                            const struct storage_former_name *name)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO former_names"
                                      " (account, name, skeleton, until_ms) VALUES (?, ?, ?, ?)");

    sql_bind_int(&q, name->account);
    sql_bind_text(&q, name->name, sizeof name->name);
    sql_bind_text(&q, name->skeleton, sizeof name->skeleton);
    sql_bind_int(&q, name->until_ms);
    return sql_run(&q);
}

enum storage_result storage_former_name_is_like(struct storage *storage, const char *skeleton,
                                                int64_t account, int64_t since_ms, bool *is_there)
{
    struct sql q = sql_read(storage, "SELECT 1 FROM former_names WHERE skeleton = ?"
                                     " AND until_ms > ? AND account <> ? LIMIT 1");

    sql_bind_text(&q, skeleton, STORAGE_NAME_SIZE);
    sql_bind_int(&q, since_ms);
    sql_bind_int(&q, account);
    *is_there = sql_row(&q);
    return sql_end(&q);
}

static void take_name(struct sql *q, struct storage_former_name *name)
{
    name->account = sql_int(q);
    sql_text(q, name->name, sizeof name->name);
    sql_text(q, name->skeleton, sizeof name->skeleton);
    name->until_ms = sql_int(q);
}

enum storage_result storage_former_name_find(struct storage *storage, const char *name,
                                             struct storage_former_name *found)
{
    struct sql q = sql_read(storage, SELECT_FORMER "name = ? ORDER BY until_ms DESC LIMIT 1");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    if (sql_first(&q)) {
        take_name(&q, found);
    }
    return sql_end(&q);
}

enum storage_result storage_former_names_of(struct storage *storage, int64_t account,
                                            storage_former_name_row *row, void *context)
{
    struct storage_former_name name;
    bool goes_on = true;
    struct sql q = sql_read(storage, SELECT_FORMER "account = ? ORDER BY until_ms DESC, name");

    sql_bind_int(&q, account);
    while (goes_on && sql_row(&q)) {
        take_name(&q, &name);
        goes_on = row(context, &name);
    }
    return sql_end(&q);
}
