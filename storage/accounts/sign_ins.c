#include "storage/accounts/sign_ins.h"

#include "storage/sql/rows.h"

static enum storage_result forget_sign_ins(struct storage *storage, int64_t account,
                                           int64_t forget_ms)
{
    struct sql q = sql_write(storage, "DELETE FROM sign_ins WHERE account = ? AND last_ms < ?");

    sql_bind_int(&q, account);
    sql_bind_int(&q, forget_ms);
    return sql_run(&q);
}

enum storage_result storage_sign_in_add(struct storage *storage,
                                        const struct storage_connection *from, int64_t at_ms,
                                        int64_t forget_ms)
{
    const enum storage_result result = forget_sign_ins(storage, from->account, forget_ms);

    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_write(storage, "INSERT INTO sign_ins (account, address, fingerprint,"
                                      " first_ms, last_ms, count) VALUES (?1, ?2, ?3, ?4, ?4, 1)"
                                      " ON CONFLICT DO UPDATE SET last_ms = ?4, count = count + 1");
    sql_bind_int(&q, from->account);
    sql_bind_text(&q, from->address, sizeof from->address);
    sql_bind_text(&q, from->key_fingerprint, sizeof from->key_fingerprint);
    sql_bind_int(&q, at_ms);
    return sql_run(&q);
}

ROWS(sign_in, struct storage_sign_in, STORAGE_SIGN_IN_COLUMNS);

#define SELECT_SIGN_INS                                                                            \
    ROW_SELECT("sign_ins", STORAGE_SIGN_IN_COLUMNS)                                                \
    " JOIN accounts ON accounts.id = account "                                                     \
    "WHERE "

enum storage_result storage_sign_ins_by_account(struct storage *storage, int64_t account,
                                                storage_sign_in_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SIGN_INS "account = ? ORDER BY last_ms DESC");

    sql_bind_int(&q, account);
    return each_sign_in(&q, row, context);
}

enum storage_result storage_sign_ins_shared(struct storage *storage, int64_t account,
                                            storage_sign_in_row *row, void *context)
{
    /* The unary plus makes SQLite search by the indexes of address and fingerprint, not of
     * account. */
    struct sql q =
        sql_read(storage, SELECT_SIGN_INS
                 "+account <> ?1"
                 " AND (address IN (SELECT address FROM sign_ins WHERE account = ?1)"
                 " OR (fingerprint <> '' AND"
                 " fingerprint IN (SELECT fingerprint FROM sign_ins WHERE account = ?1)))"
                 " ORDER BY last_ms DESC");

    sql_bind_int(&q, account);
    return each_sign_in(&q, row, context);
}

enum storage_result storage_sign_ins_by_source(struct storage *storage, const char *address,
                                               const char *fingerprint, storage_sign_in_row *row,
                                               void *context)
{
    struct sql q = sql_read(storage, SELECT_SIGN_INS "address = ?1 OR (fingerprint <> '' AND"
                                                     " fingerprint = ?2) ORDER BY last_ms DESC");

    sql_bind_text(&q, address, STORAGE_ADDRESS_SIZE);
    sql_bind_text(&q, fingerprint, STORAGE_FINGERPRINT_SIZE);
    return each_sign_in(&q, row, context);
}
