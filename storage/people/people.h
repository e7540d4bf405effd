#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "storage/storage.h"

/* Blocks between accounts. One account can block another one's chat lines, or refuse to play with
 * that account. */

/* The values of this enum are stored: they never change. */
enum storage_block {
    STORAGE_BLOCK_IGNORE = 0, /* the account does not want to read lines of the blocked account */
    /* the account does not want to sit at a table with the blocked account */
    STORAGE_BLOCK_NOPLAY = 1,
};

/* storage_block_add returns STORAGE_TAKEN when the block exists already; storage_block_remove
 * returns STORAGE_NOT_FOUND when it does not exist. */
enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t blocked,
                                      enum storage_block kind) MUST_CHECK;
enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t blocked,
                                         enum storage_block kind) MUST_CHECK;

/* Sets *is_blocked to whether one of the two accounts blocks the other, with a block of this kind.
 */
enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_blocked) MUST_CHECK;

typedef bool storage_block_row(void *context, int64_t other);

/* Lists all accounts that block this account, or are blocked by it, with a block of this kind:
 * ascending, each once. */
enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context) MUST_CHECK;

/* Reads the accounts that this account blocks: at most `capacity` into `blocked`. Sets *count to
 * their number. */
enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *blocked, size_t capacity,
                                        size_t *count) MUST_CHECK;

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

/* Invitations to tables. A person has at most one, the newest. When the person's account is
 * renamed, the invitation gets the new name; when the account is deleted, so is the invitation. */

#define STORAGE_INVITATION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(TEXT(STORAGE_NAME_SIZE), name) /* name of the invited person */                          \
    NEXT(LINK, account)                  /* account of the invited person; 0: a guest */           \
    NEXT(NUMBER, table, table_id)                                                                  \
    NEXT(NUMBER, until_ms)

struct storage_invitation {
    STORAGE_MEMBERS(STORAGE_INVITATION_COLUMNS)
};

/* Stores a person's invitation and replaces an earlier one. */
enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation) MUST_CHECK;

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation) MUST_CHECK;

/* Each function deletes invitations: that of a person, or all to one table. STORAGE_OK also when
 * there is none. */
enum storage_result storage_invitation_delete(struct storage *storage, const char *name) MUST_CHECK;
enum storage_result storage_invitations_delete_for_table(struct storage *storage,
                                                         int64_t table) MUST_CHECK;

/* Deletes the invitations that expired at `now_ms` or before. */
enum storage_result storage_invitations_delete_expired(struct storage *storage,
                                                       int64_t now_ms) MUST_CHECK;
