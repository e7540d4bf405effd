#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Authenticators for time-based codes (RFC 6238). An account has at most one. */

#define STORAGE_TOTP_SECRET_SIZE 33 /* size of a secret of 160 bits in base32 with its NUL */

#define STORAGE_TOTP_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_TOTP_SECRET_SIZE), secret)                                                   \
    NEXT(NUMBER, used_step) /* codes of this time step and earlier ones are used up */

struct storage_totp {
    STORAGE_MEMBERS(STORAGE_TOTP_COLUMNS)
};

/* Stores an account's authenticator and replaces an earlier one. STORAGE_REFUSED when there is no
 * such account. */
enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp) MUST_CHECK;

/* Reads the account's authenticator; STORAGE_NOT_FOUND when it has none. */
enum storage_result storage_totp_read(struct storage *storage, int64_t account,
                                      struct storage_totp *totp) MUST_CHECK;

/* Marks the codes up to this time step as used. STORAGE_NOT_FOUND when they are used already, or
 * when the account has no authenticator. */
enum storage_result storage_totp_mark_used(struct storage *storage, int64_t account,
                                           int64_t time_step) MUST_CHECK;

/* Deletes the account's authenticator; STORAGE_NOT_FOUND when it has none. */
enum storage_result storage_totp_remove(struct storage *storage, int64_t account) MUST_CHECK;
