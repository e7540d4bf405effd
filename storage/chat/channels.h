#ifndef STORAGE_CHAT_CHANNELS_H
#define STORAGE_CHAT_CHANNELS_H

#include "storage/storage.h"

/* Who is in which channel. A channel is there as long as somebody is in it. */

/* STORAGE_TAKEN when they are in it already, STORAGE_REFUSED when there is no such account. */
enum storage_result storage_channel_join(struct storage *storage, int64_t account,
                                         const char *channel, int64_t since_ms) MUST_CHECK;

/* STORAGE_NOT_FOUND when they are not in it. */
enum storage_result storage_channel_part(struct storage *storage, int64_t account,
                                         const char *channel) MUST_CHECK;

/* A channel and how many accounts are in it; return false to stop. */
typedef bool storage_channel_row(void *context, const char *channel, int64_t members);

/* Those of one account, in the order they were joined (`members` is 1), or all by name. */
enum storage_result storage_channels_of(struct storage *storage, int64_t account,
                                        storage_channel_row *row, void *context) MUST_CHECK;
enum storage_result storage_channels_each(struct storage *storage, storage_channel_row *row,
                                          void *context) MUST_CHECK;

/* Whether some account is in it. */
enum storage_result storage_channel_is_there(struct storage *storage, const char *channel,
                                             bool *is_there) MUST_CHECK;

#endif
