#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(former_name, struct storage_former_name, STORAGE_FORMER_NAME_COLUMNS);

#define SELECT_FORMER ROW_SELECT("former_names", STORAGE_FORMER_NAME_COLUMNS) " WHERE "

enum storage_result storage_former_name_add(struct storage *storage,
                                            const struct storage_former_name *name)
{
    return run_former_name(sql_write(storage, ROW_UPSERT("former_names", "account, name",
                                                         STORAGE_FORMER_NAME_COLUMNS)),
                           name);
}

enum storage_result storage_former_name_is_taken(struct storage *storage,
                                                 const char *name_write_skeleton,
                                                 int64_t except_account, int64_t since_ms,
                                                 bool *is_taken)
{
    return statement_has_row(SQL_READ(storage,
                                      "SELECT 1 FROM former_names WHERE skeleton = ?"
                                      " AND until_ms > ? AND account <> ? LIMIT 1",
                                      SQL_TEXT(name_write_skeleton, STORAGE_NAME_SIZE),
                                      SQL_INT(since_ms), SQL_INT(except_account)),
                             is_taken);
}

enum storage_result storage_former_name_find(struct storage *storage, const char *name,
                                             struct storage_former_name *found)
{
    struct sql *q =
        SQL_READ(storage, SELECT_FORMER "name = ? ORDER BY until_ms DESC, account DESC LIMIT 1",
                 SQL_TEXT(name, STORAGE_NAME_SIZE));

    return read_former_name(q, found);
}

enum storage_result storage_former_names_each(struct storage *storage, int64_t account,
                                              storage_former_name_row *row, void *context)
{
    struct sql *q = SQL_READ(storage, SELECT_FORMER "account = ? ORDER BY until_ms DESC, name",
                             SQL_INT(account));

    return each_former_name(q, row, context);
}
