#include "storage/people/people.h"

#include "storage/sql/sql.h"

ROWS(invitation, struct storage_invitation, STORAGE_INVITATION_COLUMNS);

enum storage_result storage_invitations_delete_expired(struct storage *storage, int64_t now_ms)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM invitations WHERE until_ms <= ?", SQL_INT(now_ms)));
}

enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation)
{
    return run_invitation(
        sql_write(storage, ROW_UPSERT("invitations", "name", STORAGE_INVITATION_COLUMNS)),
        invitation);
}

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation)
{
    return read_invitation(
        SQL_READ(storage, ROW_SELECT("invitations", STORAGE_INVITATION_COLUMNS) " WHERE name = ?",
                 SQL_TEXT(name, STORAGE_NAME_SIZE)),
        invitation);
}

enum storage_result storage_invitation_delete(struct storage *storage, const char *name)
{
    return sql_run(SQL_WRITE(storage, "DELETE FROM invitations WHERE name = ?",
                             SQL_TEXT(name, STORAGE_NAME_SIZE)));
}

enum storage_result storage_invitations_delete_for_table(struct storage *storage, int64_t table)
{
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM invitations WHERE table_id = ?", SQL_INT(table)));
}
