#ifndef STORAGE_ACCOUNTS_ACCOUNT_CHANGES_H
#define STORAGE_ACCOUNTS_ACCOUNT_CHANGES_H

#include "storage/accounts/accounts.h"

/* Changes of an account that reach into what it left elsewhere. Each is done as a whole or not at
 * all. */

/* Another name, also where it played; private lines follow (chat_rewrites.h). STORAGE_TAKEN: by
 * name or skeleton. */
enum storage_result storage_account_rename(struct storage *storage, int64_t id, const char *name,
                                           const char *skeleton) MUST_CHECK;

/* Gives everything of `from` to `into` but its name: keys, games and what they did to ratings, what
 * is in force and was noted. `from` can be signed in to no longer. The ratings themselves are the
 * caller's to compute anew (lobby/ratings/rerate.h), and the boards' rows to drop (boards.h); so
 * for the next. */
enum storage_result storage_account_merge(struct storage *storage, int64_t from,
                                          int64_t into) MUST_CHECK;

/* Nothing opens the account any more, it is called `name` (skeleton too), has no rating, and what
 * it said is to go (chat_rewrites.h). Its games stay, by that name. */
enum storage_result storage_account_erase(struct storage *storage, int64_t id,
                                          const char *name) MUST_CHECK;

#endif
