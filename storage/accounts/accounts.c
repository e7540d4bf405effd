#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

#define ACCOUNT_COLUMNS                                                                            \
    "accounts.id, name, skeleton, kind, role, password_hash, settings, created_ms, seen_ms, "      \
    "is_held, is_closed"

enum storage_result storage_account_add(struct storage *storage,
                                        const struct storage_account *account, int64_t *id)
{
    struct sql q = sql_write(storage, "INSERT INTO accounts (name, skeleton, kind, role,"
                                      " password_hash, settings, created_ms, seen_ms,"
                                      " is_held) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_text(&q, account->name, sizeof account->name);
    sql_bind_text(&q, account->skeleton, sizeof account->skeleton);
    sql_bind_int(&q, account->kind);
    sql_bind_int(&q, account->role);
    sql_bind_text(&q, account->password_hash, sizeof account->password_hash);
    sql_bind_text(&q, account->settings, sizeof account->settings);
    sql_bind_int(&q, account->created_ms);
    sql_bind_int(&q, account->seen_ms);
    sql_bind_int(&q, account->is_held);
    return sql_run_new(&q, id);
}

static enum storage_result finish_account(struct sql *q, struct storage_account *account)
{
    if (sql_first(q)) {
        *account = (struct storage_account){.id = sql_int(q)};
        sql_text(q, account->name, sizeof account->name);
        sql_text(q, account->skeleton, sizeof account->skeleton);
        account->kind = (enum storage_kind)sql_choice(q, STORAGE_KIND_LAST);
        account->role = (enum storage_role)sql_choice(q, STORAGE_ROLE_LAST);
        sql_text(q, account->password_hash, sizeof account->password_hash);
        sql_text(q, account->settings, sizeof account->settings);
        account->created_ms = sql_int(q);
        account->seen_ms = sql_int(q);
        account->is_held = sql_int(q) != 0;
        account->is_closed = sql_int(q) != 0;
    }
    return sql_end(q);
}

enum storage_result storage_account_by_id(struct storage *storage, int64_t id,
                                          struct storage_account *account)
{
    struct sql q = sql_read(storage, "SELECT " ACCOUNT_COLUMNS " FROM accounts WHERE id = ?");

    sql_bind_int(&q, id);
    return finish_account(&q, account);
}

/* What cannot be stored cannot be found; longer texts are nobody's. */
static enum storage_result find_account(struct storage *storage, const char *statement,
                                        const char *text, struct storage_account *account)
{
    struct sql q = sql_read(storage, statement);

    sql_bind_text(&q, text, STORAGE_NAME_SIZE);
    if (q.result == STORAGE_REFUSED) {
        q.result = STORAGE_NOT_FOUND;
    }
    return finish_account(&q, account);
}

enum storage_result storage_account_by_name(struct storage *storage, const char *name,
                                            struct storage_account *account)
{
    static const char statement[] = "SELECT " ACCOUNT_COLUMNS " FROM accounts WHERE name = ?";

    return find_account(storage, statement, name, account);
}

enum storage_result storage_account_by_skeleton(struct storage *storage, const char *skeleton,
                                                struct storage_account *account)
{
    static const char statement[] = "SELECT " ACCOUNT_COLUMNS " FROM accounts WHERE skeleton = ?";

    return find_account(storage, statement, skeleton, account);
}

enum storage_result storage_account_by_key(struct storage *storage, const char *fingerprint,
                                           struct storage_account *account)
{
    static const char statement[] =
        "SELECT " ACCOUNT_COLUMNS " FROM keys JOIN accounts ON accounts.id = keys.account"
        " WHERE fingerprint = ?";
    _Static_assert(STORAGE_FINGERPRINT_SIZE == STORAGE_NAME_SIZE, "looked up the same way");

    return find_account(storage, statement, fingerprint, account);
}

enum storage_result storage_account_set_password(struct storage *storage, int64_t id,
                                                 const char *password_hash)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET password_hash = ? WHERE id = ?");

    sql_bind_text(&q, password_hash, STORAGE_HASH_SIZE);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_account_set_settings(struct storage *storage, int64_t id,
                                                 const char *settings)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET settings = ? WHERE id = ?");

    sql_bind_text(&q, settings, STORAGE_SETTINGS_SIZE);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_account_set_role(struct storage *storage, int64_t id,
                                             enum storage_role role)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET role = ? WHERE id = ?");

    sql_bind_int(&q, role);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_account_set_kind(struct storage *storage, int64_t id,
                                             enum storage_kind kind)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET kind = ? WHERE id = ?");

    sql_bind_int(&q, kind);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_account_set_held(struct storage *storage, int64_t id, bool is_held)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET is_held = ? WHERE id = ?");

    sql_bind_int(&q, is_held);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_accounts_held_each(struct storage *storage,
                                               bool (*row)(void *context, const char *name,
                                                           int64_t created_ms),
                                               void *context)
{
    struct sql q =
        sql_read(storage, "SELECT name, created_ms FROM accounts WHERE is_held <> 0 ORDER BY id");

    bool is_wanted = true;
    while (is_wanted && sql_row(&q)) {
        const char *name = sql_borrow(&q);
        is_wanted = row(context, name, sql_int(&q));
    }
    return sql_end(&q);
}

enum storage_result storage_account_set_seen(struct storage *storage, int64_t id, int64_t seen_ms)
{
    struct sql q = sql_write(storage, "UPDATE accounts SET seen_ms = ? WHERE id = ?");

    sql_bind_int(&q, seen_ms);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_key_add(struct storage *storage, int64_t account,
                                    const struct storage_key *key)
{
    struct sql q = sql_write(
        storage, "INSERT INTO keys (fingerprint, account, type, added_ms) VALUES (?, ?, ?, ?)");

    sql_bind_text(&q, key->fingerprint, sizeof key->fingerprint);
    sql_bind_int(&q, account);
    sql_bind_text(&q, key->type, sizeof key->type);
    sql_bind_int(&q, key->added_ms);
    return sql_run(&q);
}

enum storage_result storage_key_remove(struct storage *storage, int64_t account,
                                       const char *fingerprint)
{
    struct sql q = sql_write(storage, "DELETE FROM keys WHERE account = ? AND fingerprint = ?");

    sql_bind_int(&q, account);
    sql_bind_text(&q, fingerprint, STORAGE_FINGERPRINT_SIZE);
    return sql_run_on_row(&q);
}

enum storage_result storage_key_list(struct storage *storage, int64_t account,
                                     struct storage_key *keys, size_t capacity, size_t *count)
{
    struct sql q = sql_read(storage, "SELECT fingerprint, type, added_ms FROM keys"
                                     " WHERE account = ? ORDER BY added_ms, fingerprint");

    *count = 0;
    sql_bind_int(&q, account);
    while (*count < capacity && sql_row(&q)) {
        struct storage_key *key = &keys[(*count)++];
        sql_text(&q, key->fingerprint, sizeof key->fingerprint);
        sql_text(&q, key->type, sizeof key->type);
        key->added_ms = sql_int(&q);
    }
    return sql_end(&q);
}
