#include "storage/people/people.h"

#include "storage/sql/sql.h"

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
