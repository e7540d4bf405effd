#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"

enum storage_result storage_sign_in_add(struct storage *storage,
                                        const struct storage_connection *connection, int64_t at_ms)
{
    return sql_run_deferred(SQL_WRITE(
        storage,
        "INSERT INTO sign_ins (account, address, fingerprint,"
        " first_ms, last_ms, count) VALUES (?1, ?2, ?3, ?4, ?4, 1)"
        " ON CONFLICT (account, address, fingerprint)"
        " DO UPDATE SET last_ms = ?4, count = sign_ins.count + 1",
        SQL_INT(connection->account), SQL_TEXT(connection->address, sizeof connection->address),
        SQL_TEXT(connection->key_fingerprint, sizeof connection->key_fingerprint), SQL_INT(at_ms)));
}

ROWS(sign_in, struct storage_sign_in, STORAGE_SIGN_IN_COLUMNS);

#define NEWEST_FIRST " ORDER BY last_ms DESC, account, address, fingerprint"
#define SELECT_SIGN_INS                                                                            \
    ROW_SELECT("sign_ins", STORAGE_SIGN_IN_COLUMNS)                                                \
    " JOIN accounts ON accounts.id = account "                                                     \
    "WHERE "

enum storage_result storage_sign_ins_by_account(struct storage *storage, int64_t account,
                                                storage_sign_in_row *row, void *context)
{
    return each_sign_in(
        SQL_READ(storage, SELECT_SIGN_INS "account = ?" NEWEST_FIRST, SQL_INT(account)), row,
        context);
}

enum storage_result storage_sign_ins_sharing_source(struct storage *storage, int64_t account,
                                                    storage_sign_in_row *row, void *context)
{
    /* The unary plus makes SQLite search by the indexes of address and fingerprint instead of the
     * account's. */
    struct sql *q = SQL_READ(
        storage,
        SELECT_SIGN_INS
        "+account <> ?1"
        " AND (address IN (SELECT address FROM sign_ins WHERE account = ?1)"
        " OR (fingerprint <> '' AND"
        " fingerprint IN (SELECT fingerprint FROM sign_ins WHERE account = ?1)))" NEWEST_FIRST,
        SQL_INT(account));

    return each_sign_in(q, row, context);
}

enum storage_result storage_sign_ins_by_source(struct storage *storage, const char *address,
                                               const char *fingerprint, storage_sign_in_row *row,
                                               void *context)
{
    return each_sign_in(SQL_READ(storage,
                                 SELECT_SIGN_INS "address = ?1 OR (fingerprint <> '' AND"
                                                 " fingerprint = ?2)" NEWEST_FIRST,
                                 SQL_TEXT(address, STORAGE_ADDRESS_SIZE),
                                 SQL_TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE)),
                        row, context);
}
