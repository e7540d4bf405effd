#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(notice, struct storage_notice, STORAGE_NOTICE_COLUMNS);

enum storage_result storage_notice_add(struct storage *storage, const struct storage_notice *notice)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO account_notices (" ROW_NAMES(STORAGE_NOTICE_COLUMNS) ") SELECT " ROW_PLACES(
            STORAGE_NOTICE_COLUMNS) " WHERE (SELECT count(*) FROM account_notices WHERE account = "
                                    "?1) < ?");

    bind_notice(&q, notice);
    sql_bind_int(&q, STORAGE_NOTICES_MAX);
    return sql_run(&q);
}

enum storage_result storage_notices_read(struct storage *storage, int64_t account,
                                         const char *fingerprint, struct storage_notice *notices,
                                         size_t *count)
{
    struct sql *q = SQL_READ(
        storage,
        ROW_SELECT(
            "account_notices",
            STORAGE_NOTICE_COLUMNS) " WHERE account = ? AND (not_by_key = '' OR not_by_key <> ?)"
                                    " ORDER BY id LIMIT ?",
        SQL_INT(account), SQL_TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE),
        SQL_INT(STORAGE_NOTICES_MAX));

    *count = 0;
    while (sql_next_row(q)) {
        take_notice(q, &notices[(*count)++]);
    }
    return sql_end(q);
}

enum storage_result storage_notices_remove(struct storage *storage, int64_t account,
                                           const char *fingerprint)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM account_notices WHERE account = ?"
                             " AND (not_by_key = '' OR not_by_key <> ?)",
                             SQL_INT(account), SQL_TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE)));
}
