#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The addresses and keys that accounts have signed in with. Old ones are deleted by
 * storage/upkeep/retention.h. */

/* Records a sign-in of the connection's account: adds 1 to its count for the connection's address
 * and key ("" for no key). */
enum storage_result storage_sign_in_add(struct storage *storage,
                                        const struct storage_connection *connection,
                                        int64_t at_ms) MUST_CHECK;

#define STORAGE_SIGN_IN_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(TEXT(STORAGE_NAME_SIZE), name) /* name of the account */                                 \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint)                                              \
    NEXT(NUMBER, first_ms)                                                                         \
    NEXT(NUMBER, last_ms)                                                                          \
    NEXT(UINT32, count)

struct storage_sign_in {
    STORAGE_MEMBERS(STORAGE_SIGN_IN_COLUMNS)
};

typedef bool storage_sign_in_row(void *context, const struct storage_sign_in *sign_in);

/* Lists the addresses and keys that one account signed in with, newest first. */
enum storage_result storage_sign_ins_by_account(struct storage *storage, int64_t account,
                                                storage_sign_in_row *row, void *context) MUST_CHECK;

/* Lists other accounts that share an address or a key with this account: one row for each shared
 * address or key, newest first. */
enum storage_result storage_sign_ins_sharing_source(struct storage *storage, int64_t account,
                                                    storage_sign_in_row *row,
                                                    void *context) MUST_CHECK;

/* Lists accounts that signed in from the address or with the key ("" for none), newest first. */
enum storage_result storage_sign_ins_by_source(struct storage *storage, const char *address,
                                               const char *fingerprint, storage_sign_in_row *row,
                                               void *context) MUST_CHECK;
