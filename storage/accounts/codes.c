#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(code, struct storage_code, STORAGE_CODE_COLUMNS);

enum storage_result storage_code_put(struct storage *storage, const struct storage_code *code)
{
    return run_code(
        sql_write(storage, ROW_UPSERT("codes", "account, purpose", STORAGE_CODE_COLUMNS)), code);
}

enum storage_result storage_code_find(struct storage *storage, enum storage_code_purpose purpose,
                                      const char *hash, struct storage_code *code)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("codes", STORAGE_CODE_COLUMNS) " WHERE hash = ? AND purpose = ?",
        SQL_TEXT(hash, STORAGE_CODE_HASH_SIZE), SQL_INT(purpose));

    return read_code(q, code);
}

enum storage_result storage_code_remove(struct storage *storage, int64_t account,
                                        enum storage_code_purpose purpose)
{
    return sql_run_change(SQL_WRITE(storage, "DELETE FROM codes WHERE account = ? AND purpose = ?",
                                    SQL_INT(account), SQL_INT(purpose)));
}
