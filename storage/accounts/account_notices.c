#include "storage/accounts/account_notices.h"

#include "storage/sql/sql.h"

enum storage_result storage_notice_add(struct storage *storage, const struct storage_notice *notice)
{
    struct sql q =
        sql_write(storage, "INSERT INTO account_notices (account, at_ms, not_by_key, text)"
                           " SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM account_notices"
                           " WHERE account = ?1) < ?5");

    sql_bind_int(&q, notice->account);
    sql_bind_int(&q, notice->at_ms);
    sql_bind_text(&q, notice->not_by_key, sizeof notice->not_by_key);
    sql_bind_text(&q, notice->text, sizeof notice->text);
    sql_bind_int(&q, STORAGE_NOTICES_MAX);
    return sql_run(&q);
}

enum storage_result storage_notices_read(struct storage *storage, int64_t account, const char *key,
                                         struct storage_notice *notices, size_t *count)
{
    struct sql q = sql_read(storage, "SELECT account, at_ms, not_by_key, text FROM account_notices"
                                     " WHERE account = ? AND (not_by_key = '' OR not_by_key <> ?)"
                                     " ORDER BY id LIMIT ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, key, STORAGE_FINGERPRINT_SIZE);
    sql_bind_int(&q, STORAGE_NOTICES_MAX);
    *count = 0;
    while (sql_row(&q)) {
        struct storage_notice *notice = &notices[(*count)++];

        notice->account = sql_int(&q);
        notice->at_ms = sql_int(&q);
        sql_text(&q, notice->not_by_key, sizeof notice->not_by_key);
        sql_text(&q, notice->text, sizeof notice->text);
    }
    return sql_end(&q);
}

enum storage_result storage_notices_done(struct storage *storage, int64_t account, const char *key)
{
    struct sql q = sql_write(storage, "DELETE FROM account_notices WHERE account = ?"
                                      " AND (not_by_key = '' OR not_by_key <> ?)");

    sql_bind_int(&q, account);
    sql_bind_text(&q, key, STORAGE_FINGERPRINT_SIZE);
    return sql_run(&q);
}
