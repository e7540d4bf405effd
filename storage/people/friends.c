#include "storage/people/people.h"

enum storage_result storage_friend_add(struct storage *storage, int64_t account, int64_t friend,
                                       int64_t added_ms)
{
    return sql_run(SQL_WRITE(storage,
                             "INSERT INTO friends (account, friend, since_ms) VALUES (?, ?, ?)",
                             SQL_INT(account), SQL_INT(friend), SQL_INT(added_ms)));
}

enum storage_result storage_friend_remove(struct storage *storage, int64_t account, int64_t friend)
{
    return sql_run_change(SQL_WRITE(storage, "DELETE FROM friends WHERE account = ? AND friend = ?",
                                    SQL_INT(account), SQL_INT(friend)));
}

enum storage_result storage_friend_exists(struct storage *storage, int64_t account, int64_t friend)
{
    struct sql *q =
        SQL_READ(storage, "SELECT since_ms FROM friends WHERE account = ? AND friend = ?",
                 SQL_INT(account), SQL_INT(friend));

    if (sql_first_row(q)) {
        (void)sql_read_int(q);
    }
    return sql_end(q);
}

/* The rows of friendships with the account at this end of them. */
#define FRIENDS_AT(end)                                                                            \
    "SELECT a.id, a.name, f.since_ms, a.seen_ms FROM friends f JOIN accounts a ON a.id = f." end

static enum storage_result call_for_each_row(struct sql *q, storage_friend_row *row, void *context)
{
    bool goes_on = true;

    while (goes_on && sql_next_row(q)) {
        struct storage_friend other = {.account = sql_read_int(q)};
        sql_read_text(q, other.name, sizeof other.name);
        other.since_ms = sql_read_int(q);
        other.seen_ms = sql_read_int(q);
        goes_on = row(context, &other);
    }
    return sql_end(q);
}

enum storage_result storage_friends_toward_each(struct storage *storage, int64_t account,
                                                storage_friend_row *row, void *context)
{
    return call_for_each_row(SQL_READ(storage,
                                      FRIENDS_AT("account") " WHERE f.friend = ? ORDER BY a.name",
                                      SQL_INT(account)),
                             row, context);
}

enum storage_result storage_friends_each(struct storage *storage, int64_t account,
                                         storage_friend_row *row, void *context)
{
    return call_for_each_row(SQL_READ(storage,
                                      FRIENDS_AT("friend") " WHERE f.account = ? ORDER BY a.name",
                                      SQL_INT(account)),
                             row, context);
}

enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t blocked,
                                      enum storage_block kind)
{
    return sql_run(SQL_WRITE(storage, "INSERT INTO regards (account, other, kind) VALUES (?, ?, ?)",
                             SQL_INT(account), SQL_INT(blocked), SQL_INT(kind)));
}

enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t blocked,
                                         enum storage_block kind)
{
    return sql_run_change(
        SQL_WRITE(storage, "DELETE FROM regards WHERE account = ? AND other = ? AND kind = ?",
                  SQL_INT(account), SQL_INT(blocked), SQL_INT(kind)));
}

enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_blocked)
{
    return statement_has_row(SQL_READ(storage,
                                      "SELECT 1 FROM regards WHERE kind = ?3 AND"
                                      " ((account = ?1 AND other = ?2)"
                                      " OR (account = ?2 AND other = ?1))",
                                      SQL_INT(account), SQL_INT(other), SQL_INT(kind)),
                             is_blocked);
}

enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage,
                             "SELECT other FROM regards WHERE account = ?1 AND kind = ?2 UNION"
                             " SELECT account FROM regards WHERE other = ?1 AND kind = ?2"
                             " ORDER BY 1",
                             SQL_INT(account), SQL_INT(kind));

    while (goes_on && sql_next_row(q)) {
        goes_on = row(context, sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *blocked, size_t capacity,
                                        size_t *count)
{
    struct sql *q =
        SQL_READ(storage, "SELECT other FROM regards WHERE account = ? AND kind = ? ORDER BY other",
                 SQL_INT(account), SQL_INT(kind));

    *count = 0;
    while (*count < capacity && sql_next_row(q)) {
        blocked[(*count)++] = sql_read_int(q);
    }
    return sql_end(q);
}

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
