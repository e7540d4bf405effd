#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

ROWS(account, struct storage_account, STORAGE_ACCOUNT_COLUMNS);
ROWS(key, struct storage_key, STORAGE_KEY_COLUMNS);

#define SELECT_ACCOUNT ROW_SELECT("accounts", STORAGE_ACCOUNT_COLUMNS)

enum storage_result storage_account_add(struct storage *storage,
                                        const struct storage_account *account, int64_t *id)
{
    return run_new_account(sql_write(storage, ROW_INSERT_NEW("accounts", STORAGE_ACCOUNT_COLUMNS)),
                           account, id);
}

enum storage_result storage_account_by_id(struct storage *storage, int64_t id,
                                          struct storage_account *account)
{
    return read_account(SQL_READ(storage, SELECT_ACCOUNT " WHERE id = ?", SQL_INT(id)), account);
}

/* Returns STORAGE_NOT_FOUND also for a text too long to be stored. */
static enum storage_result find_account(struct storage *storage, const char *statement,
                                        const char *text, struct storage_account *account)
{
    struct sql *q = SQL_READ(storage, statement, SQL_TEXT(text, STORAGE_NAME_SIZE));

    if (q->result == STORAGE_REFUSED) {
        q->result = STORAGE_NOT_FOUND;
    }
    return read_account(q, account);
}

enum storage_result storage_account_by_name(struct storage *storage, const char *name,
                                            struct storage_account *account)
{
    static const char statement[] = SELECT_ACCOUNT " WHERE name = ?";

    return find_account(storage, statement, name, account);
}

enum storage_result storage_account_by_skeleton(struct storage *storage,
                                                const char *name_write_skeleton,
                                                struct storage_account *account)
{
    static const char statement[] = SELECT_ACCOUNT " WHERE skeleton = ?";

    return find_account(storage, statement, name_write_skeleton, account);
}

enum storage_result storage_account_by_key(struct storage *storage, const char *fingerprint,
                                           struct storage_account *account)
{
    static const char statement[] =
        SELECT_ACCOUNT " JOIN keys ON accounts.id = keys.account WHERE fingerprint = ?";
    _Static_assert(STORAGE_FINGERPRINT_SIZE == STORAGE_NAME_SIZE,
                   "find_account binds a text of STORAGE_NAME_SIZE bytes");

    return find_account(storage, statement, fingerprint, account);
}

enum storage_result storage_account_set_password(struct storage *storage, int64_t id,
                                                 const char *password_hash)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET password_hash = ? WHERE id = ?",
                                    SQL_TEXT(password_hash, STORAGE_HASH_SIZE), SQL_INT(id)));
}

enum storage_result storage_account_set_settings(struct storage *storage, int64_t id,
                                                 const char *settings)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET settings = ? WHERE id = ?",
                                    SQL_TEXT(settings, STORAGE_SETTINGS_SIZE), SQL_INT(id)));
}

enum storage_result storage_account_set_role(struct storage *storage, int64_t id,
                                             enum storage_role role)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET role = ? WHERE id = ?",
                                    SQL_INT(role), SQL_INT(id)));
}

enum storage_result storage_account_set_kind(struct storage *storage, int64_t id,
                                             enum storage_kind kind)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET kind = ? WHERE id = ?",
                                    SQL_INT(kind), SQL_INT(id)));
}

enum storage_result storage_account_set_pending(struct storage *storage, int64_t id,
                                                bool is_pending)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET is_held = ? WHERE id = ?",
                                    SQL_INT(is_pending), SQL_INT(id)));
}

enum storage_result storage_accounts_each_pending(struct storage *storage,
                                                  bool (*row)(void *context, const char *name,
                                                              int64_t created_ms),
                                                  void *context)
{
    struct sql q =
        sql_read(storage, "SELECT name, created_ms FROM accounts WHERE is_held <> 0 ORDER BY id");

    bool is_wanted = true;
    while (is_wanted && sql_next_row(&q)) {
        const char *name = sql_borrow_text(&q);
        is_wanted = row(context, name, sql_read_int(&q));
    }
    return sql_end(&q);
}

enum storage_result storage_account_set_last_seen(struct storage *storage, int64_t id,
                                                  int64_t last_seen_ms)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE accounts SET seen_ms = ? WHERE id = ?",
                                    SQL_INT(last_seen_ms), SQL_INT(id)));
}

enum storage_result storage_key_add(struct storage *storage, int64_t account,
                                    const struct storage_key *key)
{
    struct storage_key row = *key;
    struct sql q = sql_write(storage, ROW_INSERT("keys", STORAGE_KEY_COLUMNS));

    row.account = account;
    bind_key(&q, &row);
    return sql_run(&q);
}

enum storage_result storage_key_remove(struct storage *storage, int64_t account,
                                       const char *fingerprint)
{
    return sql_run_change(
        SQL_WRITE(storage, "DELETE FROM keys WHERE account = ? AND fingerprint = ?",
                  SQL_INT(account), SQL_TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE)));
}

enum storage_result storage_key_list(struct storage *storage, int64_t account,
                                     struct storage_key *keys, size_t capacity, size_t *count)
{
    struct sql *q = SQL_READ(
        storage,
        ROW_SELECT("keys", STORAGE_KEY_COLUMNS) " WHERE account = ? ORDER BY added_ms, fingerprint",
        SQL_INT(account));

    *count = 0;
    while (*count < capacity && sql_next_row(q)) {
        take_key(q, &keys[(*count)++]);
    }
    return sql_end(q);
}
