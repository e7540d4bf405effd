#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* One-time codes for an account. */

#define STORAGE_CODE_HASH_SIZE 65 /* size of a code's hash in hex with its NUL */

/* The values of this enum are stored: they never change. */
enum storage_code_purpose {
    STORAGE_CODE_KEY = 1,      /* the code adds another machine's SSH key to the account */
    STORAGE_CODE_RECOVERY = 2, /* the code signs in a person who lost password and key */
    STORAGE_CODE_PURPOSE_LAST = STORAGE_CODE_RECOVERY,
};

#define STORAGE_CODE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(CHOICE(storage_code_purpose, STORAGE_CODE_PURPOSE_LAST), purpose)                         \
    NEXT(TEXT(STORAGE_CODE_HASH_SIZE), hash)                                                       \
    NEXT(NUMBER, expires_ms) /* the code is valid before this time */

struct storage_code {
    STORAGE_MEMBERS(STORAGE_CODE_COLUMNS)
};

/* Stores the code and replaces the account's earlier code for that purpose. STORAGE_TAKEN when
 * another account's code has the same hash, STORAGE_REFUSED when there is no such account. */
enum storage_result storage_code_put(struct storage *storage,
                                     const struct storage_code *code) MUST_CHECK;

/* Finds a code by its hash, expired codes included. STORAGE_NOT_FOUND when no code of that purpose
 * has this hash. */
enum storage_result storage_code_find(struct storage *storage, enum storage_code_purpose purpose,
                                      const char *hash, struct storage_code *code) MUST_CHECK;

/* Deletes the account's code for that purpose; STORAGE_NOT_FOUND when it has none. */
enum storage_result storage_code_remove(struct storage *storage, int64_t account,
                                        enum storage_code_purpose purpose) MUST_CHECK;
