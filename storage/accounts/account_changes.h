#pragma once

#include "storage/accounts/accounts.h"

/* Changes to an account that also change its data in other database tables. A change is done
 * completely or not at all. */

/* Renames the account, in its games too. The name in its direct messages is changed later
 * (chat_rewrites.h). STORAGE_TAKEN: another account has this name or a confusable one. */
enum storage_result storage_account_rename(struct storage *storage, int64_t id, const char *name,
                                           const char *skeleton) MUST_CHECK;

/* Moves everything but the name from `from` to `into`: keys, games and their rating changes,
 * sanctions and notes. Nobody can sign in to `from` any more. After storage_account_merge and
 * storage_account_erase the caller recomputes the ratings (lobby/ratings/rerate.h) and deletes the
 * accounts' rows on the leaderboards (boards.h). */
enum storage_result storage_account_merge(struct storage *storage, int64_t from,
                                          int64_t into) MUST_CHECK;

/* Closes the account: removes all its credentials and ratings, and sets its name and skeleton to
 * `name`. Queues its chat lines for erasure (chat_rewrites.h). Its games stay, under the new
 * name. */
enum storage_result storage_account_erase(struct storage *storage, int64_t id,
                                          const char *name) MUST_CHECK;
