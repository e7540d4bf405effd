#pragma once

#include "storage/storage.h"

/* Friends. Friendship is one-sided and private: the other account is not told. */

struct storage_friend {
    int64_t account;
    char name[STORAGE_NAME_SIZE];
    int64_t since_ms; /* when it became a friend */
    int64_t seen_ms;  /* last seen */
};

/* STORAGE_TAKEN when it is a friend already, STORAGE_REFUSED when there is no such account. */
enum storage_result storage_friend_add(struct storage *storage, int64_t account, int64_t other,
                                       int64_t since_ms) MUST_CHECK;

/* These two answer STORAGE_NOT_FOUND when it is not a friend. */
enum storage_result storage_friend_remove(struct storage *storage, int64_t account,
                                          int64_t other) MUST_CHECK;

/* STORAGE_OK when `other` is a friend of `account`. */
enum storage_result storage_friend_check(struct storage *storage, int64_t account,
                                         int64_t other) MUST_CHECK;

typedef bool storage_friend_row(void *context, const struct storage_friend *other);

/* The account's friends by name. */
enum storage_result storage_friends_each(struct storage *storage, int64_t account,
                                         storage_friend_row *row, void *context) MUST_CHECK;
