#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Notices that an account reads at its next sign-in. */

#define STORAGE_NOTICE_SIZE 1600
#define STORAGE_NOTICES_MAX 20 /* the most notices kept for one account; more are dropped */

#define STORAGE_NOTICE_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE),                                                           \
         not_by_key) /* sign-ins with this key do not see the notice; "": all sign-ins see it */   \
    NEXT(TEXT(STORAGE_NOTICE_SIZE), text)

struct storage_notice {
    STORAGE_MEMBERS(STORAGE_NOTICE_COLUMNS)
};

enum storage_result storage_notice_add(struct storage *storage,
                                       const struct storage_notice *notice) MUST_CHECK;

/* Reads the waiting notices of the account, oldest first: those that a sign-in with the key of this
 * fingerprint may see ("": a sign-in without a key). Reads at most STORAGE_NOTICES_MAX and sets
 * *count to their number. */
enum storage_result storage_notices_read(struct storage *storage, int64_t account,
                                         const char *fingerprint, struct storage_notice *notices,
                                         size_t *count) MUST_CHECK;

/* Deletes the notices that storage_notices_read would return for this fingerprint. */
enum storage_result storage_notices_remove(struct storage *storage, int64_t account,
                                           const char *fingerprint) MUST_CHECK;
