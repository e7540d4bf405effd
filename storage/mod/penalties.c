#include "storage/mod/penalties.h"

#include "storage/sql/sql.h"

enum storage_result storage_backoff_read(struct storage *storage, const char *name_hash,
                                         struct storage_backoff *backoff)
{
    struct sql q =
        sql_read(storage, "SELECT name_hash, failures, until_ms FROM backoffs WHERE name_hash = ?");

    sql_bind_text(&q, name_hash, STORAGE_NAME_HASH_SIZE);
    if (sql_first(&q)) {
        sql_text(&q, backoff->name_hash, sizeof backoff->name_hash);
        backoff->failures = (uint32_t)sql_int(&q);
        backoff->until_ms = sql_int(&q);
    }
    return sql_end(&q);
}

/* Equal times at the border are kept together: they are few. */
static enum storage_result forget_first(struct storage *storage, uint32_t most)
{
    struct sql q = sql_write(storage, "DELETE FROM backoffs WHERE until_ms < (SELECT until_ms FROM"
                                      " backoffs ORDER BY until_ms DESC LIMIT 1 OFFSET ?)");

    sql_bind_int(&q, (int64_t)most - 1);
    return sql_run(&q);
}

enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff, uint32_t most)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO backoffs (name_hash, failures,"
                                      " until_ms) VALUES (?, ?, ?)");

    sql_bind_text(&q, backoff->name_hash, sizeof backoff->name_hash);
    sql_bind_int(&q, backoff->failures);
    sql_bind_int(&q, backoff->until_ms);
    enum storage_result result = sql_run(&q);
    return result == STORAGE_OK ? forget_first(storage, most) : result;
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
    struct sql q =
        sql_read(storage, "SELECT source, count, first_ms FROM registrations WHERE source = ?");

    sql_bind_text(&q, source, STORAGE_ADDRESS_SIZE);
    if (sql_first(&q)) {
        sql_text(&q, registration->source, sizeof registration->source);
        registration->count = (uint32_t)sql_int(&q);
        registration->first_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_registration_save(struct storage *storage,
                                              const struct storage_registration *registration)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO registrations (source, count,"
                                      " first_ms) VALUES (?, ?, ?)");

    sql_bind_text(&q, registration->source, sizeof registration->source);
    sql_bind_int(&q, registration->count);
    sql_bind_int(&q, registration->first_ms);
    return sql_run(&q);
}

enum storage_result storage_registrations_expire(struct storage *storage, int64_t until_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM registrations WHERE first_ms <= ?");

    sql_bind_int(&q, until_ms);
    return sql_run(&q);
}
