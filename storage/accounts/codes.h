#ifndef STORAGE_ACCOUNTS_CODES_H
#define STORAGE_ACCOUNTS_CODES_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Codes that open an account once. */

#define STORAGE_CODE_HASH_SIZE 65 /* hex */

/* Stored: the numbers never change. */
enum storage_code_purpose {
    STORAGE_CODE_KEY = 1,      /* binds another machine's key */
    STORAGE_CODE_RECOVERY = 2, /* signs in somebody who has lost password and key */
    STORAGE_CODE_PURPOSE_LAST = STORAGE_CODE_RECOVERY,
};

#define STORAGE_CODE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(CHOICE(storage_code_purpose, STORAGE_CODE_PURPOSE_LAST), purpose)                         \
    NEXT(TEXT(STORAGE_CODE_HASH_SIZE), hash)                                                       \
    NEXT(NUMBER, expires_ms) /* valid before that */

struct storage_code {
    STORAGE_MEMBERS(STORAGE_CODE_COLUMNS)
};

/* Keeps the code in place of the account's earlier one for that purpose. STORAGE_TAKEN when some
 * other account's code has the same hash, STORAGE_REFUSED when there is no such account. */
enum storage_result storage_code_put(struct storage *storage,
                                     const struct storage_code *code) MUST_CHECK;

/* STORAGE_NOT_FOUND when no code of that purpose has this hash; one whose time is over is found. */
enum storage_result storage_code_find(struct storage *storage, enum storage_code_purpose purpose,
                                      const char *hash, struct storage_code *code) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_code_remove(struct storage *storage, int64_t account,
                                        enum storage_code_purpose purpose) MUST_CHECK;

#endif
