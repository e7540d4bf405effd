#pragma once

#include "storage/storage.h"

/* Friends. Friendship is one-sided and private: the other account is not told. */

struct storage_friend {
    int64_t account;
    char name[STORAGE_NAME_SIZE];
    int64_t since_ms; /* when the account added this friend */
    int64_t seen_ms;  /* when the friend was last seen */
};

/* Adds a friend. STORAGE_TAKEN when `friend` is a friend of `account` already, STORAGE_REFUSED when
 * one of the accounts does not exist. */
enum storage_result storage_friend_add(struct storage *storage, int64_t account, int64_t friend,
                                       int64_t added_ms) MUST_CHECK;

/* Removes a friend; STORAGE_NOT_FOUND when `friend` is not a friend of `account`. */
enum storage_result storage_friend_remove(struct storage *storage, int64_t account,
                                          int64_t friend) MUST_CHECK;

/* Returns STORAGE_OK when `friend` is a friend of `account`, otherwise STORAGE_NOT_FOUND. */
enum storage_result storage_friend_exists(struct storage *storage, int64_t account,
                                          int64_t friend) MUST_CHECK;

typedef bool storage_friend_row(void *context, const struct storage_friend *other);

/* Lists those who have the account as their friend, in the order of their names. */
enum storage_result storage_friends_toward_each(struct storage *storage, int64_t account,
                                                storage_friend_row *row, void *context) MUST_CHECK;

/* Lists an account's friends in the order of their names. */
enum storage_result storage_friends_each(struct storage *storage, int64_t account,
                                         storage_friend_row *row, void *context) MUST_CHECK;
