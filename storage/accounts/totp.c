#include "storage/accounts/totp.h"

#include "storage/sql/sql.h"

enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp)
{
    struct sql q = sql_write(storage, "INSERT INTO totp (account, secret, used_step)"
                                      " VALUES (?, ?, ?) ON CONFLICT (account) DO UPDATE"
                                      " SET secret = excluded.secret,"
                                      " used_step = excluded.used_step");

    sql_bind_int(&q, account);
    sql_bind_text(&q, totp->secret, sizeof totp->secret);
    sql_bind_int(&q, totp->used_step);
    return sql_run(&q);
}

enum storage_result storage_totp_read(struct storage *storage, int64_t account,
                                      struct storage_totp *totp)
{
    struct sql q = sql_read(storage, "SELECT secret, used_step FROM totp WHERE account = ?");

    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        sql_text(&q, totp->secret, sizeof totp->secret);
        totp->used_step = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_totp_use(struct storage *storage, int64_t account, int64_t step)
{
    struct sql q =
        sql_write(storage, "UPDATE totp SET used_step = ?1 WHERE account = ?2 AND used_step < ?1");

    sql_bind_int(&q, step);
    sql_bind_int(&q, account);
    return sql_run_on_row(&q);
}

enum storage_result storage_totp_remove(struct storage *storage, int64_t account)
{
    struct sql q = sql_write(storage, "DELETE FROM totp WHERE account = ?");

    sql_bind_int(&q, account);
    return sql_run_on_row(&q);
}
