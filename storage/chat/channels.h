#pragma once

#include "storage/storage.h"

/* Named chat channels and their members. A channel exists as long as it has members. */

/* Adds a member to a channel. STORAGE_TAKEN when the account is a member already, STORAGE_REFUSED
 * when there is no such account. */
enum storage_result storage_channel_join(struct storage *storage, int64_t account,
                                         const char *channel, int64_t joined_ms) MUST_CHECK;

/* Removes a member from a channel; STORAGE_NOT_FOUND when the account is not a member. */
enum storage_result storage_channel_leave(struct storage *storage, int64_t account,
                                          const char *channel) MUST_CHECK;

/* Receives a channel and its number of members; returns false to stop the listing. */
typedef bool storage_channel_row(void *context, const char *channel, int64_t members);

/* storage_channels_of_account lists the channels of one account, with 1 as the number of
 * members, in the order in which the account joined them. storage_channels_each lists all
 * channels by name. */
enum storage_result storage_channels_of_account(struct storage *storage, int64_t account,
                                                storage_channel_row *row, void *context) MUST_CHECK;
enum storage_result storage_channels_each(struct storage *storage, storage_channel_row *row,
                                          void *context) MUST_CHECK;

/* Sets *is_there to whether the channel has a member. */
enum storage_result storage_channel_exists(struct storage *storage, const char *channel,
                                           bool *is_there) MUST_CHECK;
