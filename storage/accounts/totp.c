#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(totp, struct storage_totp, STORAGE_TOTP_COLUMNS);

enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp)
{
    struct storage_totp row = *totp;
    struct sql q = sql_write(storage, ROW_UPSERT("totp", "account", STORAGE_TOTP_COLUMNS));

    row.account = account;
    bind_totp(&q, &row);
    return sql_run(&q);
}

enum storage_result storage_totp_read(struct storage *storage, int64_t account,
                                      struct storage_totp *totp)
{
    struct sql *q = SQL_READ(storage, ROW_SELECT("totp", STORAGE_TOTP_COLUMNS) " WHERE account = ?",
                             SQL_INT(account));

    return read_totp(q, totp);
}

enum storage_result storage_totp_mark_used(struct storage *storage, int64_t account,
                                           int64_t time_step)
{
    return sql_run_change(
        SQL_WRITE(storage, "UPDATE totp SET used_step = ?1 WHERE account = ?2 AND used_step < ?1",
                  SQL_INT(time_step), SQL_INT(account)));
}

enum storage_result storage_totp_remove(struct storage *storage, int64_t account)
{
    return sql_run_change(
        SQL_WRITE(storage, "DELETE FROM totp WHERE account = ?", SQL_INT(account)));
}
