#include "storage/people/people.h"

ROWS(friend, struct storage_friend, STORAGE_FRIEND_COLUMNS);
ROWS(invitation, struct storage_invitation, STORAGE_INVITATION_COLUMNS);

/* The rows of friendships with the account at this end of them. */
#define FRIENDS_AT(end)                                                                            \
    "SELECT a.id, a.name, f.since_ms, a.seen_ms FROM friends f JOIN accounts a ON a.id = f." end

#define STATEMENT STATEMENT_DEFINED
#include "storage/people/people.def"

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
