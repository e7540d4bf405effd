#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Authenticators: time-based codes (RFC 6238). An account has at most one. */

#define STORAGE_TOTP_SECRET_SIZE 33 /* 160 bits in base32 */

#define STORAGE_TOTP_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_TOTP_SECRET_SIZE), secret)                                                   \
    NEXT(NUMBER, used_step) /* codes of this step and earlier ones are used up */

struct storage_totp {
    STORAGE_MEMBERS(STORAGE_TOTP_COLUMNS)
};

/* Stores the authenticator and replaces an earlier one. STORAGE_REFUSED when there is no such
 * account. */
enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp) MUST_CHECK;

/* STORAGE_NOT_FOUND when the account has none. */
enum storage_result storage_totp_read(struct storage *storage, int64_t account,
                                      struct storage_totp *totp) MUST_CHECK;

/* Marks the codes up to this step as used. STORAGE_NOT_FOUND when they are used already, or the
 * account has no authenticator. */
enum storage_result storage_totp_use(struct storage *storage, int64_t account,
                                     int64_t step) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_totp_remove(struct storage *storage, int64_t account) MUST_CHECK;
