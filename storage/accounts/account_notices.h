#ifndef STORAGE_ACCOUNTS_ACCOUNT_NOTICES_H
#define STORAGE_ACCOUNTS_ACCOUNT_NOTICES_H

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Sentences that wait for the next sign-in to an account. */

#define STORAGE_NOTICE_SIZE 800
#define STORAGE_NOTICES_MAX 20 /* wait for one account; more are not kept */

#define STORAGE_NOTICE_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), not_by_key) /* not shown to who signs in with it; "" */   \
    NEXT(TEXT(STORAGE_NOTICE_SIZE), text)

struct storage_notice {
    STORAGE_MEMBERS(STORAGE_NOTICE_COLUMNS)
};

enum storage_result storage_notice_add(struct storage *storage,
                                       const struct storage_notice *notice) MUST_CHECK;

/* Those that wait for the account and who comes by that key ("": by none), oldest first: at most
 * STORAGE_NOTICES_MAX, *count how many. */
enum storage_result storage_notices_read(struct storage *storage, int64_t account, const char *key,
                                         struct storage_notice *notices, size_t *count) MUST_CHECK;

/* They wait no longer. */
enum storage_result storage_notices_done(struct storage *storage, int64_t account,
                                         const char *key) MUST_CHECK;

#endif
