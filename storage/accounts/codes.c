#include "storage/accounts/codes.h"

#include "storage/sql/rows.h"

ROWS(code, struct storage_code, STORAGE_CODE_COLUMNS);

enum storage_result storage_code_put(struct storage *storage, const struct storage_code *code)
{
    struct sql q =
        sql_write(storage, ROW_UPSERT("codes", "account, purpose", STORAGE_CODE_COLUMNS));

    bind_code(&q, code);
    return sql_run(&q);
}

enum storage_result storage_code_find(struct storage *storage, enum storage_code_purpose purpose,
                                      const char *hash, struct storage_code *code)
{
    struct sql q = sql_read(
        storage, ROW_SELECT("codes", STORAGE_CODE_COLUMNS) " WHERE hash = ? AND purpose = ?");

    sql_bind_text(&q, hash, STORAGE_CODE_HASH_SIZE);
    sql_bind_int(&q, purpose);
    return read_code(&q, code);
}

enum storage_result storage_code_remove(struct storage *storage, int64_t account,
                                        enum storage_code_purpose purpose)
{
    struct sql q = sql_write(storage, "DELETE FROM codes WHERE account = ? AND purpose = ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, purpose);
    return sql_run_on_row(&q);
}
