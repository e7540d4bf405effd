#include "storage/accounts/guests.h"

#include "storage/sql/sql.h"

#define GUEST_COLUMNS "name, net, address, fingerprint, transport, seen_ms"

static enum storage_result forget_old(struct storage *storage, int64_t forget_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM guests WHERE seen_ms < max(?1, ifnull((SELECT"
                                      " seen_ms FROM guests ORDER BY seen_ms DESC LIMIT 1"
                                      " OFFSET ?2), ?1))");

    sql_bind_int(&q, forget_ms);
    sql_bind_int(&q, STORAGE_GUESTS_MAX - 1);
    return sql_run(&q);
}

/* Equal times at the border are kept together: they are few. */
static enum storage_result forget_beyond(struct storage *storage, const char *net)
{
    struct sql q = sql_write(storage, "DELETE FROM guests WHERE net = ?1 AND seen_ms < (SELECT"
                                      " seen_ms FROM guests WHERE net = ?1"
                                      " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?2)");

    sql_bind_text(&q, net, STORAGE_ADDRESS_SIZE);
    sql_bind_int(&q, STORAGE_GUESTS_EACH_MAX - 1);
    return sql_run(&q);
}

enum storage_result storage_guest_note(struct storage *storage, const struct storage_guest *guest,
                                       int64_t forget_ms)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO guests (" GUEST_COLUMNS
                                      ") VALUES (?, ?, ?, ?, ?, ?)");

    sql_bind_text(&q, guest->name, sizeof guest->name);
    sql_bind_text(&q, guest->net, sizeof guest->net);
    sql_bind_text(&q, guest->address, sizeof guest->address);
    sql_bind_text(&q, guest->fingerprint, sizeof guest->fingerprint);
    sql_bind_text(&q, guest->transport, sizeof guest->transport);
    sql_bind_int(&q, guest->seen_ms);
    enum storage_result result = sql_run(&q);
    if (result == STORAGE_OK) {
        result = forget_beyond(storage, guest->net);
    }
    return result == STORAGE_OK ? forget_old(storage, forget_ms) : result;
}

static void take_guest(struct sql *q, struct storage_guest *guest)
{
    *guest = (struct storage_guest){0};
    sql_text(q, guest->name, sizeof guest->name);
    sql_text(q, guest->net, sizeof guest->net);
    sql_text(q, guest->address, sizeof guest->address);
    sql_text(q, guest->fingerprint, sizeof guest->fingerprint);
    sql_text(q, guest->transport, sizeof guest->transport);
    guest->seen_ms = sql_int(q);
}

enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest)
{
    struct sql q = sql_read(storage, "SELECT " GUEST_COLUMNS " FROM guests WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    if (sql_first(&q)) {
        take_guest(&q, guest);
    }
    return sql_end(&q);
}

enum storage_result storage_guests_from(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context)
{
    struct storage_guest guest;
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT " GUEST_COLUMNS
                                     " FROM guests WHERE net = ? ORDER BY seen_ms DESC");

    sql_bind_text(&q, net, STORAGE_ADDRESS_SIZE);
    while (goes_on && sql_row(&q)) {
        take_guest(&q, &guest);
        goes_on = row(context, &guest);
    }
    return sql_end(&q);
}
