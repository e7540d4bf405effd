#pragma once

#include "storage/chat/chat.h"

/* Direct messages that wait until their recipient is online. storage_chat_offline_messages_each
 * (chat.h) reads them. */

/* Marks a chat line as waiting for the account. */
enum storage_result storage_offline_message_add(struct storage *storage,
                                                const struct storage_chat *line,
                                                int64_t account) MUST_CHECK;

/* Counts the messages that wait for the account (*count), and those of them that are from
 * `from_name` (*count_from_name). */
enum storage_result storage_offline_messages_count(struct storage *storage, int64_t account,
                                                   const char *from_name, int64_t *count,
                                                   int64_t *count_from_name) MUST_CHECK;

/* storage_offline_messages_delete deletes the account's messages. storage_offline_messages_expire
 * deletes messages of all accounts that were said before `before_ms`: oldest first, a few at each
 * call. */
enum storage_result storage_offline_messages_delete(struct storage *storage,
                                                    int64_t account) MUST_CHECK;
enum storage_result storage_offline_messages_expire(struct storage *storage,
                                                    int64_t before_ms) MUST_CHECK;
