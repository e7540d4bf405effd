#include "storage/accounts/codes.h"

#include "storage/sql/sql.h"

enum storage_result storage_code_put(struct storage *storage, const struct storage_code *code)
{
    struct sql q = sql_write(storage, "INSERT INTO codes (account, purpose, hash, expires_ms)"
                                      " VALUES (?, ?, ?, ?) ON CONFLICT (account, purpose)"
                                      " DO UPDATE SET hash = excluded.hash,"
                                      " expires_ms = excluded.expires_ms");

    sql_bind_int(&q, code->account);
    sql_bind_int(&q, code->purpose);
    sql_bind_text(&q, code->hash, sizeof code->hash);
    sql_bind_int(&q, code->expires_ms);
    return sql_run(&q);
}

enum storage_result storage_code_find(struct storage *storage, enum storage_code_purpose purpose,
                                      const char *hash, struct storage_code *code)
{
    struct sql q = sql_read(
        storage, "SELECT account, hash, expires_ms FROM codes WHERE hash = ? AND purpose = ?");

    sql_bind_text(&q, hash, STORAGE_CODE_HASH_SIZE);
    sql_bind_int(&q, purpose);
    if (sql_first(&q)) {
        *code = (struct storage_code){.account = sql_int(&q), .purpose = purpose};
        sql_text(&q, code->hash, sizeof code->hash);
        code->expires_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_code_remove(struct storage *storage, int64_t account,
                                        enum storage_code_purpose purpose)
{
    struct sql q = sql_write(storage, "DELETE FROM codes WHERE account = ? AND purpose = ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, purpose);
    return sql_run_on_row(&q);
}
