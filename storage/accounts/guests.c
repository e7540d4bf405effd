#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(guest, struct storage_guest, STORAGE_GUEST_COLUMNS);

#define SELECT_GUEST ROW_SELECT("guests", STORAGE_GUEST_COLUMNS)

enum storage_result storage_guests_delete_before(struct storage *storage, int64_t before_ms)
{
    return sql_run_deferred(
        SQL_WRITE(storage, "DELETE FROM guests WHERE seen_ms < ?", SQL_INT(before_ms)));
}

static enum storage_result delete_guests_beyond_total(struct storage *storage)
{
    return sql_run_deferred(
        SQL_WRITE(storage,
                  "DELETE FROM guests WHERE seen_ms < (SELECT seen_ms FROM guests"
                  " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?)",
                  SQL_INT(STORAGE_GUESTS_MAX - 1)));
}

/* Deletes a network's oldest guests beyond the limit. Keeps a few more when several guests were
 * last seen at the same time as the oldest guest within the limit. */
static enum storage_result delete_guests_beyond_limit(struct storage *storage, const char *net)
{
    return sql_run_deferred(SQL_WRITE(storage,
                                      "DELETE FROM guests WHERE net = ?1 AND seen_ms < (SELECT"
                                      " seen_ms FROM guests WHERE net = ?1"
                                      " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?2)",
                                      SQL_TEXT(net, STORAGE_ADDRESS_SIZE),
                                      SQL_INT(STORAGE_GUESTS_EACH_MAX - 1)));
}

enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t delete_before_ms)
{
    RETURN_FAILURE(defer_guest(
        sql_write(storage, ROW_UPSERT("guests", "name", STORAGE_GUEST_COLUMNS)), guest));
    RETURN_FAILURE(delete_guests_beyond_limit(storage, guest->net));
    RETURN_FAILURE(delete_guests_beyond_total(storage));
    return storage_guests_delete_before(storage, delete_before_ms);
}

enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest)
{
    return read_guest(
        SQL_READ(storage, SELECT_GUEST " WHERE name = ?", SQL_TEXT(name, STORAGE_NAME_SIZE)),
        guest);
}

enum storage_result storage_guests_each(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context)
{
    return each_guest(SQL_READ(storage,
                               SELECT_GUEST " WHERE net = ? ORDER BY seen_ms DESC, name DESC",
                               SQL_TEXT(net, STORAGE_ADDRESS_SIZE)),
                      row, context);
}
