#ifndef STORAGE_ACCOUNTS_ACCOUNT_NOTICES_H
#define STORAGE_ACCOUNTS_ACCOUNT_NOTICES_H

#include "storage/accounts/accounts.h"
#include "storage/storage.h"

/* Sentences that wait for the next sign-in to an account. */

#define STORAGE_NOTICE_SIZE 800
#define STORAGE_NOTICES_MAX 20 /* wait for one account; more are not kept */

struct storage_notice {
    int64_t account;
    int64_t at_ms;
    char not_by_key[STORAGE_FINGERPRINT_SIZE]; /* who comes by this key is not told; "" */
    char text[STORAGE_NOTICE_SIZE];
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
