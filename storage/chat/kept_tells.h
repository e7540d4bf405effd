#ifndef STORAGE_CHAT_KEPT_TELLS_H
#define STORAGE_CHAT_KEPT_TELLS_H

#include "storage/chat/chat.h"

/* Private lines that wait for their addressee. */

/* The line of that number waits for the account. */
enum storage_result storage_kept_add(struct storage *storage, const struct storage_chat *line,
                                     int64_t account) MUST_CHECK;

/* How many wait for the account, and how many of those are from that name. */
enum storage_result storage_kept_count(struct storage *storage, int64_t account, const char *from,
                                       int64_t *count, int64_t *count_from) MUST_CHECK;

/* Those that wait for the account, oldest first. */
enum storage_result storage_kept_each(struct storage *storage, int64_t account,
                                      storage_chat_row *row, void *context) MUST_CHECK;

/* The account's wait no longer; the oldest of those said before that time, some at a call, wait for
 * nobody any more. */
enum storage_result storage_kept_done(struct storage *storage, int64_t account) MUST_CHECK;
enum storage_result storage_kept_expire(struct storage *storage, int64_t before_ms) MUST_CHECK;

#endif
