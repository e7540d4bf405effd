#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

/* Runs one SQL statement that changes an account: binds `account` to ?1 and `other` to ?2. */
static enum storage_result run_statement(struct storage *storage, const char *statement,
                                         int64_t account, int64_t other)
{
    struct sql q = sql_write(storage, statement);

    sql_bind_int(&q, account);
    if (other != 0) {
        sql_bind_int(&q, other);
    }
    return sql_run(&q);
}

static enum storage_result run_statements(struct storage *storage, const char *const *statements,
                                          size_t count, int64_t account, int64_t other)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < count && result == STORAGE_OK; i++) {
        result = run_statement(storage, statements[i], account, other);
    }
    return result;
}

/* Queues the account's chat lines for rewriting (chat_rewrites.h). Must be called before the
 * account gets its new name. */
static enum storage_result queue_chat_rewrite(struct storage *storage, int64_t id, bool is_erased)
{
    return sql_run(SQL_WRITE(storage,
                             "INSERT INTO chat_rewrites (account, old_name, is_erased,"
                             " below, until) SELECT id, name, ?2,"
                             " (SELECT coalesce(max(number), 0) + 1 FROM chat),"
                             " (SELECT coalesce(max(number), 0) FROM chat)"
                             " FROM accounts WHERE id = ?1",
                             SQL_INT(id), SQL_INT(is_erased)));
}

static enum storage_result set_account_name(struct storage *storage, int64_t id, const char *name,
                                            const char *skeleton)
{
    return sql_run_change(SQL_WRITE(
        storage, "UPDATE accounts SET name = ?, skeleton = ? WHERE id = ?",
        SQL_TEXT(name, STORAGE_NAME_SIZE), SQL_TEXT(skeleton, STORAGE_NAME_SIZE), SQL_INT(id)));
}

/* Writes the account's new name into one database table: into the rows of its finished games (found
 * through the table `scores`), of its games in play (found through the table `tables`) and of those
 * that ended without a result (which have the state 2). */
#define NAMED_IN_GAMES(table)                                                                      \
    "UPDATE " table " SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1"     \
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1"                               \
    " UNION ALL SELECT game_id FROM tables WHERE state <> 3"                                       \
    " UNION ALL SELECT id FROM games WHERE state = 2)"

static const char *const name_followers[] = {
    NAMED_IN_GAMES("game_seats"),
    NAMED_IN_GAMES("seat_changes"),
    "UPDATE scores SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
    "UPDATE connections SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
    ("UPDATE kept_tells SET from_name = (SELECT name FROM accounts WHERE id = ?1)"
     " WHERE (SELECT account FROM chat WHERE chat.number = kept_tells.number) = ?1"),
    "UPDATE invitations SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
};

static enum storage_result change_account_name(struct storage *storage, int64_t id,
                                               const char *name, const char *skeleton,
                                               bool is_erased)
{
    RETURN_FAILURE(queue_chat_rewrite(storage, id, is_erased));
    RETURN_FAILURE(set_account_name(storage, id, name, skeleton));
    return run_statements(storage, name_followers, ARRAY_LEN(name_followers), id, 0);
}

enum storage_result storage_account_rename(struct storage *storage, int64_t id, const char *name,
                                           const char *skeleton)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, change_account_name(storage, id, name, skeleton, false));
}

static const char *const merges[] = {
    "UPDATE keys SET account = ?2 WHERE account = ?1",
    "UPDATE game_seats SET account = ?2 WHERE account = ?1"
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1)",
    "UPDATE seat_changes SET account = ?2 WHERE account = ?1"
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1)",
    "UPDATE scores SET account = ?2 WHERE account = ?1",
    "UPDATE rating_changes SET account = ?2 WHERE account = ?1",
    "UPDATE refunds SET account = ?2 WHERE account = ?1",
    "UPDATE refunds SET lost_to = ?2 WHERE lost_to = ?1",
    "INSERT INTO tallies (account, game, span, players, last_ms, games, wins, place_sum,"
    " stat_hits, stat_chances, finished, \"left\") SELECT ?2, game, span, players, last_ms, games,"
    " wins, place_sum, stat_hits, stat_chances, finished, \"left\" FROM tallies WHERE account = "
    "?1" TALLIES_ADD_UP,
    "UPDATE sanctions SET account = ?2 WHERE account = ?1",
    "UPDATE former_names SET account = ?2 WHERE account = ?1 AND NOT EXISTS (SELECT 1"
    " FROM former_names AS own WHERE own.account = ?2 AND own.name = former_names.name)",
    "UPDATE staff_notes SET account = ?2 WHERE account = ?1",
    "UPDATE reports SET about_account = ?2 WHERE about_account = ?1",
    "UPDATE reports SET by_account = ?2 WHERE by_account = ?1",
    "UPDATE player_times SET account = ?2 WHERE account = ?1"
    " AND NOT EXISTS (SELECT 1 FROM player_times AS own WHERE own.account = ?2)",
};

static const char *const closings[] = {
    "DELETE FROM keys WHERE account = ?1",
    "DELETE FROM codes WHERE account = ?1",
    "DELETE FROM totp WHERE account = ?1",
    "DELETE FROM ratings WHERE account = ?1",
    "DELETE FROM season_ratings WHERE account = ?1",
    "DELETE FROM refunds WHERE account = ?1",
    "DELETE FROM tallies WHERE account = ?1",
    "DELETE FROM friends WHERE account = ?1 OR friend = ?1",
    "DELETE FROM channel_members WHERE account = ?1",
    "DELETE FROM kept_tells WHERE account = ?1",
    "DELETE FROM account_notices WHERE account = ?1",
    "DELETE FROM hooks WHERE account = ?1",
    "DELETE FROM invitations WHERE account = ?1",
    "DELETE FROM regards WHERE account = ?1 OR other = ?1",
    "DELETE FROM player_times WHERE account = ?1",
    "UPDATE accounts SET password_hash = '', settings = '{}', role = 0 WHERE id = ?1",
    "UPDATE accounts SET is_closed = 1 WHERE id = ?1",
};

static enum storage_result merge_accounts(struct storage *storage, int64_t from, int64_t into)
{
    RETURN_FAILURE(run_statements(storage, merges, ARRAY_LEN(merges), from, into));
    return run_statements(storage, closings, ARRAY_LEN(closings), from, 0);
}

enum storage_result storage_account_merge(struct storage *storage, int64_t from, int64_t into)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, merge_accounts(storage, from, into));
}

static const char *const erasures[] = {
    "DELETE FROM sign_ins WHERE account = ?1",
    "DELETE FROM staff_notes WHERE account = ?1",
    "DELETE FROM former_names WHERE account = ?1",
};

static enum storage_result erase_account(struct storage *storage, int64_t id, const char *name)
{
    RETURN_FAILURE(change_account_name(storage, id, name, name, true));
    RETURN_FAILURE(run_statements(storage, closings, ARRAY_LEN(closings), id, 0));
    return run_statements(storage, erasures, ARRAY_LEN(erasures), id, 0);
}

enum storage_result storage_account_erase(struct storage *storage, int64_t id, const char *name)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, erase_account(storage, id, name));
}
