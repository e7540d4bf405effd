#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

ROWS(backoff, struct storage_backoff, STORAGE_BACKOFF_COLUMNS);
ROWS(registration, struct storage_registration, STORAGE_REGISTRATION_COLUMNS);

enum storage_result storage_backoff_read(struct storage *storage, const char *name_hash,
                                         struct storage_backoff *backoff)
{
    return read_backoff(
        SQL_READ(storage, ROW_SELECT("backoffs", STORAGE_BACKOFF_COLUMNS) " WHERE name_hash = ?",
                 SQL_TEXT(name_hash, STORAGE_NAME_HASH_SIZE)),
        backoff);
}

/* Keeps the `max_delays` delays that end last, and any that end at the same time as the earliest of
 * them; deletes the others. */
static enum storage_result delete_delays_beyond_limit(struct storage *storage, uint32_t max_delays)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM backoffs WHERE until_ms < (SELECT until_ms FROM"
                             " backoffs ORDER BY until_ms DESC LIMIT 1 OFFSET ?)",
                             SQL_INT((int64_t)max_delays - 1)));
}

enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff, uint32_t max_delays)
{
    RETURN_FAILURE(run_backoff(
        sql_write(storage, ROW_UPSERT("backoffs", "name_hash", STORAGE_BACKOFF_COLUMNS)), backoff));
    return delete_delays_beyond_limit(storage, max_delays);
}

enum storage_result storage_backoff_remove(struct storage *storage, const char *name_hash)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM backoffs WHERE name_hash = ?",
                             SQL_TEXT(name_hash, STORAGE_NAME_HASH_SIZE)));
}

enum storage_result storage_registration_read(struct storage *storage, const char *source,
                                              struct storage_registration *registration)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("registrations", STORAGE_REGISTRATION_COLUMNS) " WHERE source = ?",
        SQL_TEXT(source, STORAGE_ADDRESS_SIZE));

    return read_registration(q, registration);
}

enum storage_result storage_registration_save(struct storage *storage,
                                              const struct storage_registration *registration)
{
    return run_registration(
        sql_write(storage, ROW_UPSERT("registrations", "source", STORAGE_REGISTRATION_COLUMNS)),
        registration);
}

enum storage_result storage_registrations_delete_until(struct storage *storage, int64_t until_ms)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM registrations WHERE first_ms <= ?", SQL_INT(until_ms)));
}
