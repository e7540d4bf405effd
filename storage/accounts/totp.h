#ifndef STORAGE_ACCOUNTS_TOTP_H
#define STORAGE_ACCOUNTS_TOTP_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Authenticators: codes by time (RFC 6238). An account has one or none. */

#define STORAGE_TOTP_SECRET_SIZE 33 /* 160 bits in base32 */

#define STORAGE_TOTP_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_TOTP_SECRET_SIZE), secret)                                                   \
    NEXT(NUMBER, used_step) /* codes of this step and earlier ones are used up */

struct storage_totp {
    STORAGE_MEMBERS(STORAGE_TOTP_COLUMNS)
};

/* Keeps it in place of an earlier one. STORAGE_REFUSED when there is no such account. */
enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp) MUST_CHECK;

/* STORAGE_NOT_FOUND when the account has none. */
enum storage_result storage_totp_read(struct storage *storage, int64_t account,
                                      struct storage_totp *totp) MUST_CHECK;

/* Uses up the codes to that step. STORAGE_NOT_FOUND when they are used up already, or the account
 * has none. */
enum storage_result storage_totp_use(struct storage *storage, int64_t account,
                                     int64_t step) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_totp_remove(struct storage *storage, int64_t account) MUST_CHECK;

#endif
