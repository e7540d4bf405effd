#include "storage/people/friends.h"

#include "storage/sql/sql.h"

enum storage_result storage_friend_add(struct storage *storage, int64_t account, int64_t other,
                                       int64_t since_ms)
{
    struct sql q =
        sql_write(storage, "INSERT INTO friends (account, friend, since_ms) VALUES (?, ?, ?)");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    sql_bind_int(&q, since_ms);
    return sql_run(&q);
}

enum storage_result storage_friend_remove(struct storage *storage, int64_t account, int64_t other)
{
    struct sql q = sql_write(storage, "DELETE FROM friends WHERE account = ? AND friend = ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    return sql_run_on_row(&q);
}

enum storage_result storage_friend_check(struct storage *storage, int64_t account, int64_t other)
{
    struct sql q =
        sql_read(storage, "SELECT since_ms FROM friends WHERE account = ? AND friend = ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, other);
    if (sql_first(&q)) {
        (void)sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_friends_each(struct storage *storage, int64_t account,
                                         storage_friend_row *row, void *context)
{
    struct sql q = sql_read(storage, "SELECT a.id, a.name, f.since_ms, a.seen_ms FROM friends f"
                                     " JOIN accounts a ON a.id = f.friend WHERE f.account = ?"
                                     " ORDER BY a.name");
    bool goes_on = true;

    sql_bind_int(&q, account);
    while (goes_on && sql_row(&q)) {
        struct storage_friend other = {.account = sql_int(&q)};
        sql_text(&q, other.name, sizeof other.name);
        other.since_ms = sql_int(&q);
        other.seen_ms = sql_int(&q);
        goes_on = row(context, &other);
    }
    return sql_end(&q);
}
