#include "storage/mod/penalties.h"

#include "storage/sql/rows.h"

ROWS(backoff, struct storage_backoff, STORAGE_BACKOFF_COLUMNS);
ROWS(registration, struct storage_registration, STORAGE_REGISTRATION_COLUMNS);

enum storage_result storage_backoff_read(struct storage *storage, const char *name_hash,
                                         struct storage_backoff *backoff)
{
    struct sql q =
        sql_read(storage, ROW_SELECT("backoffs", STORAGE_BACKOFF_COLUMNS) " WHERE name_hash = ?");

    sql_bind_text(&q, name_hash, STORAGE_NAME_HASH_SIZE);
    return read_backoff(&q, backoff);
}

/* Rows with the same time as the first one kept are kept too: they are few. */
static enum storage_result forget_delays_beyond_limit(struct storage *storage, uint32_t most)
{
    struct sql q = sql_write(storage, "DELETE FROM backoffs WHERE until_ms < (SELECT until_ms FROM"
                                      " backoffs ORDER BY until_ms DESC LIMIT 1 OFFSET ?)");

    sql_bind_int(&q, (int64_t)most - 1);
    return sql_run(&q);
}

enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff, uint32_t most)
{
    struct sql q = sql_write(storage, ROW_REPLACE("backoffs", STORAGE_BACKOFF_COLUMNS));

    bind_backoff(&q, backoff);
    enum storage_result result = sql_run(&q);
    return result == STORAGE_OK ? forget_delays_beyond_limit(storage, most) : result;
}

enum storage_result storage_backoff_remove(struct storage *storage, const char *name_hash)
{
    struct sql q = sql_write(storage, "DELETE FROM backoffs WHERE name_hash = ?");

    sql_bind_text(&q, name_hash, STORAGE_NAME_HASH_SIZE);
    return sql_run(&q);
}

enum storage_result storage_registration_read(struct storage *storage, const char *source,
                                              struct storage_registration *registration)
{
    struct sql q = sql_read(
        storage, ROW_SELECT("registrations", STORAGE_REGISTRATION_COLUMNS) " WHERE source = ?");

    sql_bind_text(&q, source, STORAGE_ADDRESS_SIZE);
    return read_registration(&q, registration);
}

enum storage_result storage_registration_save(struct storage *storage,
                                              const struct storage_registration *registration)
{
    struct sql q = sql_write(storage, ROW_REPLACE("registrations", STORAGE_REGISTRATION_COLUMNS));

    bind_registration(&q, registration);
    return sql_run(&q);
}

enum storage_result storage_registrations_expire(struct storage *storage, int64_t until_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM registrations WHERE first_ms <= ?");

    sql_bind_int(&q, until_ms);
    return sql_run(&q);
}
