#include "storage/people/invitations.h"

#include "storage/sql/rows.h"

ROWS(invitation, struct storage_invitation, STORAGE_INVITATION_COLUMNS);

enum storage_result storage_invitations_delete_expired(struct storage *storage, int64_t now_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE until_ms <= ?");

    sql_bind_int(&q, now_ms);
    return sql_run(&q);
}

enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation)
{
    struct sql q = sql_write(storage, ROW_REPLACE("invitations", STORAGE_INVITATION_COLUMNS));

    bind_invitation(&q, invitation);
    return sql_run(&q);
}

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation)
{
    struct sql q =
        sql_read(storage, ROW_SELECT("invitations", STORAGE_INVITATION_COLUMNS) " WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    return read_invitation(&q, invitation);
}

enum storage_result storage_invitation_delete(struct storage *storage, const char *name)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    return sql_run(&q);
}

enum storage_result storage_invitations_delete_for_table(struct storage *storage, int64_t table)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE table_id = ?");

    sql_bind_int(&q, table);
    return sql_run(&q);
}
