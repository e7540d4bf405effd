#include "storage/people/invitations.h"

#include "storage/sql/sql.h"

enum storage_result storage_invitations_forget(struct storage *storage, int64_t now_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE until_ms <= ?");

    sql_bind_int(&q, now_ms);
    return sql_run(&q);
}

enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO invitations"
                                      " (name, account, table_id, until_ms) VALUES (?, ?, ?, ?)");

    sql_bind_text(&q, invitation->name, sizeof invitation->name);
    sql_bind_id(&q, invitation->account);
    sql_bind_int(&q, invitation->table);
    sql_bind_int(&q, invitation->until_ms);
    return sql_run(&q);
}

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation)
{
    struct sql q = sql_read(storage, "SELECT name, account, table_id, until_ms FROM invitations"
                                     " WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    if (sql_first(&q)) {
        *invitation = (struct storage_invitation){0};
        sql_text(&q, invitation->name, sizeof invitation->name);
        invitation->account = sql_int(&q);
        invitation->table = sql_int(&q);
        invitation->until_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_invitation_end(struct storage *storage, const char *name)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE name = ?");

    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    return sql_run(&q);
}

enum storage_result storage_invitations_end(struct storage *storage, int64_t table)
{
    struct sql q = sql_write(storage, "DELETE FROM invitations WHERE table_id = ?");

    sql_bind_int(&q, table);
    return sql_run(&q);
}
