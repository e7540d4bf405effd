#ifndef STORAGE_CHAT_OFFLINE_MESSAGES_H
#define STORAGE_CHAT_OFFLINE_MESSAGES_H

#include "storage/chat/chat.h"

/* Direct messages that wait until the person they are to is here. storage_chat_offline_each
 * (chat.h) reads them. */

/* Keeps the line for the account. */
enum storage_result storage_offline_add(struct storage *storage, const struct storage_chat *line,
                                        int64_t account) MUST_CHECK;

/* How many messages wait for the account, and how many of them are from that name. */
enum storage_result storage_offline_count(struct storage *storage, int64_t account,
                                          const char *from, int64_t *count,
                                          int64_t *count_from) MUST_CHECK;

/* Forget the account's messages; forget the oldest messages of all accounts that were said before
 * that time, a few at each call. */
enum storage_result storage_offline_done(struct storage *storage, int64_t account) MUST_CHECK;
enum storage_result storage_offline_expire(struct storage *storage, int64_t before_ms) MUST_CHECK;

#endif
