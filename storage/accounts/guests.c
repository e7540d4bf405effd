#include "storage/accounts/guests.h"

#include "storage/sql/rows.h"

ROWS(guest, struct storage_guest, STORAGE_GUEST_COLUMNS);

#define SELECT_GUEST ROW_SELECT("guests", STORAGE_GUEST_COLUMNS)

static enum storage_result forget_old_guests(struct storage *storage, int64_t forget_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM guests WHERE seen_ms < max(?1, ifnull((SELECT"
                                      " seen_ms FROM guests ORDER BY seen_ms DESC LIMIT 1"
                                      " OFFSET ?2), ?1))");

    sql_bind_int(&q, forget_ms);
    sql_bind_int(&q, STORAGE_GUESTS_MAX - 1);
    return sql_run(&q);
}

/* Guests seen at the same time as the last one kept are kept too: they are few. */
static enum storage_result forget_guests_beyond_limit(struct storage *storage, const char *net)
{
    struct sql q = sql_write(storage, "DELETE FROM guests WHERE net = ?1 AND seen_ms < (SELECT"
                                      " seen_ms FROM guests WHERE net = ?1"
                                      " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?2)");

    sql_bind_text(&q, net, STORAGE_ADDRESS_SIZE);
    sql_bind_int(&q, STORAGE_GUESTS_EACH_MAX - 1);
    return sql_run(&q);
}

enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t forget_ms)
{
    struct sql q = sql_write(storage, ROW_REPLACE("guests", STORAGE_GUEST_COLUMNS));

    bind_guest(&q, guest);
    enum storage_result result = sql_run(&q);
    if (result == STORAGE_OK) {
        result = forget_guests_beyond_limit(storage, guest->net);
    }
    return result == STORAGE_OK ? forget_old_guests(storage, forget_ms) : result;
}

enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest)
{
    struct sql q = sql_read(storage, SELECT_GUEST " WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    return read_guest(&q, guest);
}

enum storage_result storage_guests_each(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_GUEST " WHERE net = ? ORDER BY seen_ms DESC");

    sql_bind_text(&q, net, STORAGE_ADDRESS_SIZE);
    return each_guest(&q, row, context);
}
